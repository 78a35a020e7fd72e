import HTTP1
import TestSupport
import Testing
import Wire

/// What a valid request head says.
@Suite struct RequestHeadTests {
    private func head(_ text: String) throws -> RequestHead {
        let bytes = Array(text.utf8)
        let whole = RequestOutcome(parsing: [bytes[...]])
        for cut in cuts(of: bytes) {
            #expect(RequestOutcome(parsing: cut) == whole, "cut: \(cut.map(\.count))")
        }
        #expect(whole.fault == nil)
        return try #require(whole.head)
    }

    @Test func anUploadIsReadWhole() throws {
        let text = """
            POST /files?name=a%20b HTTP/1.1\r
            Host: upload.example:8080\r
            content-TYPE: \t multipart/form-data; boundary=x \r
            X-Empty:\r
            Content-Length: 12\r
            X-D: 1\r
            x-d: 2, 3\r
            \r

            """
        let head = try head(text)
        #expect(head.method == "POST")
        #expect(head.targetText == "/files?name=a%20b")
        #expect(head.path == "/files")
        #expect(head.query == "name=a%20b")
        #expect(head.target.form == .origin)
        #expect(head.minorVersion == 1)
        #expect(head.host == "upload.example:8080")
        #expect(head.framing == .length(12))
        #expect(head.isPersistent)
        #expect(!head.expectsContinue)
        #expect(head.upgrade == nil)
        #expect(head.refusal == nil)
        #expect(head.byteCount == text.utf8.count)
        #expect(head.fields.text(.contentType) == "multipart/form-data; boundary=x")
        let names = head.fields.lines.map { head.fields.text(of: $0.name) }
        #expect(names == ["Host", "content-TYPE", "X-Empty", "Content-Length", "X-D", "x-d"])
        #expect(head.fields.lines.map(\.known)[1] == .contentType)
        #expect(head.fields.value(head.fields.lines[2]).isEmpty)
        #expect(head.fields.withValue(head.fields.lines[5]) { $0.count } == 4)
        #expect(head.fields.name(head.fields.lines[4]) == Array("X-D".utf8)[...])
    }

    @Test(arguments: [
        ("OPTIONS", "0", 0), ("OPTIONS", "00", 0), ("OPTIONS", "7", 7), ("OPTIONS", "1000", 1000),
        ("OPTIONS", "1001", 1000), ("OPTIONS", "92233720368547758070000", 1000),
        ("GET", "0", nil), ("options", "0", nil), ("GET", "x", nil),
    ])
    func maxForwards(method: String, value: String, read: Int?) throws {
        let text = "\(method) / HTTP/1.1\r\nHost: a\r\nMax-Forwards: \(value)\r\n\r\n"
        #expect(try head(text).maxForwards == read)
        #expect(try head("\(method) / HTTP/1.1\r\nHost: a\r\n\r\n").maxForwards == nil)
    }

    @Test func theRestBelongsToTheBody() {
        let bytes = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\nhello".utf8)
        for cut in cuts(of: bytes) {
            #expect(RequestOutcome(parsing: cut).rest == 5)
        }
    }

    @Test func oneEmptyLineBeforeARequestIsSkipped() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        #expect(!parser.hasBegun)
        let bytes = Array("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        #expect(try parser.consume(bytes[..<1]) == 1)
        #expect(!parser.hasBegun)
        #expect(try parser.consume(bytes[1..<2]) == 1)
        #expect(!parser.hasBegun)
        #expect(try parser.consume(bytes[2..<3]) == 1)
        #expect(parser.hasBegun)
        #expect(try parser.consume(bytes[3...]) == bytes.count - 3)
        let head = try parser.takeHead()
        #expect(head.method == "GET")
        #expect(head.byteCount == bytes.count)
        #expect(!parser.hasBegun)
        #expect(!parser.isComplete)
    }

    @Test func aParserReadsOneHeadAfterTheOther() throws {
        var parser = RequestHeadParser(limits: HeadLimits())
        let bytes = Array(
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPUT /2 HTTP/1.0\r\n\r\n".utf8
        )
        let first = try parser.consume(bytes[...])
        #expect(try parser.takeHead().targetText == "/1")
        let second = try parser.consume(bytes[first...])
        #expect(first + second == bytes.count)
        let head = try parser.takeHead()
        #expect(head.targetText == "/2")
        #expect(head.method == "PUT")
        #expect(head.fields.lines.isEmpty)
    }

    static let targets: [(String, RequestTarget.Form, host: String, path: String, query: String?)] =
        [
            ("GET /", .origin, "h", "/", nil),
            ("GET //e.x/..%2f?", .origin, "h", "//e.x/..%2f", ""),
            ("GET /?a\\b|{}^`?x", .origin, "h", "/", "a\\b|{}^`?x"),
            ("GET http://a.b", .absolute, "a.b", "", nil),
            ("GET HTTPS://a.b:8/c?d", .absolute, "a.b:8", "/c", "d"),
            ("GET http://[::1]:80?d", .absolute, "[::1]:80", "", "d"),
            ("OPTIONS *", .asterisk, "h", "*", nil),
            ("CONNECT a.b:443", .authority, "a.b:443", "", nil),
            ("TRACE /", .origin, "h", "/", nil),
        ]

    @Test(arguments: targets)
    func formsOfTheTarget(
        _ row: (String, RequestTarget.Form, host: String, path: String, query: String?)
    ) throws {
        let head = try head("\(row.0) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(head.target.form == row.1)
        #expect(head.host == row.host)
        #expect(head.path == row.path)
        #expect(head.query == row.query)
        #expect((head.refusal?.reason == .connectRefused) == row.0.hasPrefix("CONNECT"))
    }

    @Test func methodsAreKnownByCase() throws {
        #expect(try head("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n").isHEAD)
        #expect(try !head("head / HTTP/1.1\r\nHost: h\r\n\r\n").isHEAD)
        #expect(try head("OPTIONS / HTTP/1.1\r\nHost: h\r\n\r\n").isOPTIONS)
        #expect(try head("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n").isTRACE)
        #expect(try head("CONNECT a:1 HTTP/1.1\r\nHost: h\r\n\r\n").isCONNECT)
        #expect(try head("!#$%&'*+-.^_`|~09azAZ / HTTP/1.0\r\n\r\n").method.count == 21)
    }

    @Test(arguments: [
        ("", BodyFraming.none),
        ("Content-Length: 0\r\n", .length(0)),
        ("Content-Length: \t0010 \t\r\n", .length(10)),
        ("Content-Length: 999999999999999999\r\n", .length(999_999_999_999_999_999)),
        ("Transfer-Encoding: chunked\r\n", .chunked),
        ("transfer-encoding:\tCHUNKED \t\r\n", .chunked),
        ("Transfer_Encoding: chunked\r\nContent_Length: 5\r\n", .none),
        ("Content-Encoding: chunked\r\n", .none),
    ])
    func framingDoesNotDependOnTheMethod(_ fields: String, _ framing: BodyFraming) throws {
        for method in ["GET", "HEAD", "POST", "DELETE", "OPTIONS", "X"] {
            let head = try head("\(method) / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n")
            #expect(head.framing == framing)
        }
    }

    @Test(arguments: [
        ("1.1", "", true),
        ("1.1", "Connection: close\r\n", false),
        ("1.1", "Connection: keep-alive, ClOsE\r\n", false),
        ("1.1", "Connection: x\r\nConnection: ,, close,\r\n", false),
        ("1.1", "Connection: closed\r\n", true),
        ("1.7", "", true),
        ("1.0", "", false),
        ("1.0", "Connection: Keep-Alive\r\n", true),
        ("1.0", "Connection: keep-alive, close\r\n", false),
    ])
    func persistence(_ version: String, _ fields: String, _ expected: Bool) throws {
        let head = try head("GET / HTTP/\(version)\r\nHost: h\r\n\(fields)\r\n")
        #expect(head.isPersistent == expected)
        #expect(head.minorVersion == (version == "1.0" ? 0 : 1))
    }

    @Test(arguments: [
        ("1.1", "Expect: 100-continue\r\nContent-Length: 5\r\n", true),
        ("1.1", "Expect:  100-Continue \r\nTransfer-Encoding: chunked\r\n", true),
        ("1.1", "Expect: 100-continue\r\nContent-Length: 0\r\n", false),
        ("1.1", "Expect: 100-continue\r\n", false),
        ("1.0", "Expect: 100-continue\r\nContent-Length: 5\r\n", false),
        ("1.0", "Expect: nonsense\r\nContent-Length: 5\r\n", false),
    ])
    func expectation(_ version: String, _ fields: String, _ expected: Bool) throws {
        let head = try head("GET / HTTP/\(version)\r\nHost: h\r\n\(fields)\r\n")
        #expect(head.expectsContinue == expected)
    }

    static let upgrades: [(String, String, String?)] = [
        ("1.1", "Connection: Upgrade\r\nUpgrade: WebSocket\r\n", "websocket"),
        ("1.1", "Connection: x, upgrade\r\nUpgrade: a/1.0\r\n", "a/1.0"),
        ("1.1", "Upgrade: websocket\r\n", nil),
        ("1.1", "Connection: upgrade\r\n", nil),
        ("1.1", "Connection: upgrade\r\nUpgrade:\r\n", nil),
        ("1.0", "Connection: Upgrade\r\nUpgrade: websocket\r\n", nil),
        ("1.1", "Connection: Upgrade\r\nUpgrade: h2c\r\n", nil),
        ("1.1", "Connection: Upgrade\r\nUpgrade: H2C\r\n", nil),
        ("1.1", "Connection: Upgrade\r\nUpgrade: websocket, h2c\r\n", nil),
        ("1.1", "Connection: Upgrade\r\nUpgrade: websocket\r\nUpgrade: h2c\r\n", nil),
    ]

    @Test(arguments: upgrades)
    func upgrade(_ row: (String, String, String?)) throws {
        #expect(try head("GET / HTTP/\(row.0)\r\nHost: h\r\n\(row.1)\r\n").upgrade == row.2)
    }

    @Test func anHTTP10RequestMayDoWithoutHost() throws {
        let head = try head("GET / HTTP/1.0\r\n\r\n")
        #expect(head.host == nil)
        #expect(head.authority == nil)
    }

    @Test func valuesKeepBytesAboveASCII() throws {
        let head = try head("GET / HTTP/1.1\r\nHost: h\r\nX: é\r\n\r\n")
        #expect(head.fields.text(of: head.fields.lines[1].value) == "é")
    }
}
