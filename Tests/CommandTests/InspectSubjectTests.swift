import Testing
import weir

@Suite struct InspectSubjectTests {
    static let rows: [(String, InspectSubject?)] = [
        ("POST /upload HTTP/1.1\r\nHost: x\r\n\r\n", .request),
        ("\r\nPOST /upload HTTP/1.1\r\n", .request),
        ("POST  /a b HTTP/1.1\n", .request),
        ("POST /upload HTTP/9\r\n", .request),
        ("GET HTTP/1.1", .request),
        ("--X\r\n", .guessedBody(contentType: "multipart/form-data; boundary=\"X\"")),
        ("--X \r\nA: b", .guessedBody(contentType: "multipart/form-data; boundary=\"X\"")),
        ("--X", .guessedBody(contentType: "multipart/form-data; boundary=\"X\"")),
        ("----WebKit\n", .guessedBody(contentType: "multipart/form-data; boundary=\"--WebKit\"")),
        ("--a\u{0}b\r\n", nil),
        ("--\r\n", nil),
        ("--a\"b\r\n", nil),
        ("", nil),
        ("\r\n", nil),
        ("hello\r\n", nil),
        ("POST /upload\r\n", nil),
        ("P(ST / HTTP/1.1\r\n", nil),
        (String(repeating: "-", count: 100_000), nil),
    ]

    @Test(arguments: rows)
    func firstLineTells(_ text: String, _ expected: InspectSubject?) {
        #expect(InspectSubject(beginning: Array(text.utf8)[...], contentType: nil) == expected)
    }

    @Test(arguments: rows)
    func aGivenTypeWins(_ text: String, _ expected: InspectSubject?) {
        let subject = InspectSubject(beginning: Array(text.utf8)[...], contentType: "a/b")
        #expect(subject == .body(contentType: "a/b"))
    }
}
