import Inspection
import Testing
import weir

@Suite struct InspectReportTests {
    private var result: InspectResult {
        var result = InspectResult()
        result.contentType = "multipart/form-data; boundary=X"
        result.bodyBytes = 1_234_567
        result.parts = [
            PartReport(
                index: 0,
                kind: .field,
                state: .complete,
                name: "caption",
                headOffset: 5,
                contentOffset: 55,
                endOffset: 79,
                digests: [PartDigest(algorithm: "sha256", hexadecimal: "ab12")]
            ),
            PartReport(
                index: 1,
                kind: .file,
                state: .truncated,
                name: "a\u{1b}[2J",
                filename: String(repeating: "x", count: 60),
                contentType: "image/png",
                headOffset: 84,
                contentOffset: 200,
                endOffset: 1_234_567
            ),
        ]
        let finding = Finding(
            code: "line.bare_lf",
            severity: .block,
            detail: "A bare LF ends the line.",
            offset: 3,
            part: 1,
            reference: "RFC 2046 §5.1.1"
        )
        result.entries = [InspectResult.Entry(finding: finding, place: .body)]
        return result
    }

    @Test func isATableAndASentenceForEachFinding() throws {
        let text = InspectReport.text(of: result, name: "x.body") { _ in
            (ByteWindow(start: 0, bytes: Array("--X\nContent".utf8)), 3)
        }
        let long = String(repeating: "x", count: 39) + "…"
        let advice = try #require(Advice.advice(for: "line.bare_lf"))
        let blank = String(repeating: " ", count: 39)
        #expect(
            text == """
                x.body: 1.2 MB, 2 parts, multipart/form-data; boundary=X

                part  name        filename\(blank.dropFirst(7))  type         bytes  offset  state      sha256
                   0  caption     -\(blank)  -               24      55  complete   ab12
                   1  a\\u{1b}[2J  \(long)  image/png  1234367     200  truncated  -

                block: line.bare_lf, byte 3 of the body, part 1
                  A bare LF ends the line.
                    0000  2d 2d 58 0a 43 6f 6e 74  65 6e 74                 --X.Content
                                   ^^                                          ^
                  Likely cause: \(advice.cause)
                  To mend it: \(advice.remedy)
                  See RFC 2046 §5.1.1

                verdict: blocked
                """
        )
    }

    @Test func nothingInItCanMoveTheCursor() {
        let text = InspectReport.text(of: result, name: "x") { _ in nil }
        #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || TerminalText.isSafe($0) })
    }
}
