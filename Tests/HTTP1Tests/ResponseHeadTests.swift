import HTTP1
import TestSupport
import Testing
import Wire

@Suite struct ResponseHeadTests {
    static let ok = "HTTP/1.1 200 OK\r\n"

    static let faults = [
        FaultRow("\r\nHTTP/1.1 200 OK\r\n", .versionInvalid, at: 0),
        FaultRow("ICY 200 OK\r\n", .versionInvalid, at: 0),
        FaultRow("HTTQ/1.1 200 OK\r\n", .versionInvalid, at: 3),
        FaultRow("HTTP/2.0 200 OK\r\n", .versionUnsupported, at: 5),
        FaultRow("\nHTTP", .bareLF, at: 0),
        FaultRow("HTTP/1.1\r\n", .statusLineInvalid, at: 8),
        FaultRow("HTTP/1.1\t200 OK\r\n", .statusLineInvalid, at: 8),
        FaultRow("HTTP/1.1\n200 OK\r\n", .bareLF, at: 8),
        FaultRow("HTTP/1.1 \r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1  200 OK\r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1 000 OK\r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1 600 OK\r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1 -20 OK\r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1 abc OK\r\n", .statusCodeInvalid, at: 9),
        FaultRow("HTTP/1.1 20 OK\r\n", .statusCodeInvalid, at: 11),
        FaultRow("HTTP/1.1 2000 OK\r\n", .statusCodeInvalid, at: 12),
        FaultRow("HTTP/1.1 200\tOK\r\n", .statusCodeInvalid, at: 12),
        FaultRow("HTTP/1.1 200\n", .bareLF, at: 12),
        FaultRow("HTTP/1.1 200 O\0K\r\n", .nul, at: 14),
        FaultRow("HTTP/1.1 200 O\u{B}K\r\n", .statusLineInvalid, at: 14),
        FaultRow("HTTP/1.1 200 OK\n", .bareLF, at: 15),
        FaultRow("HTTP/1.1 200 OK\rX", .bareCR, at: 15),
        FaultRow(ok + " A: b\r\n", .leadingWhitespace, at: 17),
        FaultRow(ok + "A: b\r\n c\r\n", .fieldFolded, at: 23),
        FaultRow(ok + "A : b\r\n", .spaceBeforeColon, at: 18),
        FaultRow(ok + "A: b\0\r\n", .nul, at: 21),
        FaultRow(ok + "A: b\rc\r\n", .bareCR, at: 21),
        FaultRow(ok + ": b\r\n", .fieldNameEmpty, at: 17),
        FaultRow(
            ok + "Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
            .contentLengthDuplicate,
            at: 36
        ),
        FaultRow(ok + "Content-Length: 5 \u{A0}\r\n\r\n", .contentLengthInvalid, at: 34),
        FaultRow(
            ok + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            .contentLengthWithTransferEncoding,
            at: 36
        ),
        FaultRow(ok + "Transfer-Encoding: gzip\r\n\r\n", .transferEncodingUnknown, at: 36),
        FaultRow(
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
            .transferEncodingInHTTP10,
            at: 17
        ),
        FaultRow(ok + "Connection: content-length\r\n\r\n", .connectionListsFraming, at: 29),
    ]

    static let limitFaults = [
        FaultRow("HTTP/1.1 200 6789012345", .statusLineTooLong, at: 20),
        FaultRow("HTTP/1.1 200 \r\nABCDEFGHIJKLMNOPQRSTU", .fieldLineTooLong, at: 35),
        FaultRow("HTTP/1.1 200 \r\nA:\r\nB:\r\nC:\r\nD:\r\n", .tooManyFields, at: 27),
    ]

    @Test(arguments: faults)
    func everyCutFaultsAtTheSameByte(_ row: FaultRow) {
        for cut in cuts(of: row.input) {
            let outcome = ResponseOutcome(parsing: cut)
            #expect(outcome.fault == row.fault, "cut: \(cut.map(\.count))")
        }
    }

    @Test(arguments: limitFaults)
    func limitsAreExact(_ row: FaultRow) {
        let limits = RequestFaultTests.smallLimits
        for cut in cuts(of: row.input) {
            #expect(ResponseOutcome(parsing: cut, limits: limits).fault == row.fault)
        }
        let within = row.input[..<row.fault.offset]
        #expect(ResponseOutcome(parsing: [within], limits: limits).fault == nil)
    }

    private func head(_ text: String, answering method: String = "GET") throws -> ResponseHead {
        let bytes = Array(text.utf8)
        let whole = ResponseOutcome(parsing: [bytes[...]], answering: method)
        for cut in cuts(of: bytes) {
            #expect(ResponseOutcome(parsing: cut, answering: method) == whole)
        }
        #expect(whole.fault == nil)
        return try #require(whole.head)
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\n\r\n", 200, "OK"),
        ("HTTP/1.1 404 Not \tFound \r\n\r\n", 404, "Not \tFound "),
        ("HTTP/1.1 299 \r\n\r\n", 299, ""),
        ("HTTP/1.1 599\r\n\r\n", 599, ""),
        ("HTTP/1.0 100 é\r\n\r\n", 100, "é"),
    ])
    func statusLines(_ text: String, _ status: Int, _ reason: String) throws {
        let head = try head(text)
        #expect(head.status == status)
        #expect(head.reasonText == reason)
        #expect(head.byteCount == text.utf8.count)
    }

    static let framings: [(Int, String, String, BodyFraming, length: Int?, persistent: Bool)] = [
        (200, "GET", "Content-Length: 5\r\n", .length(5), 5, true),
        (200, "GET", "Transfer-Encoding: chunked\r\n", .chunked, nil, true),
        (200, "GET", "", .untilClose, nil, false),
        (200, "GET", "Connection: close\r\nContent-Length: 5\r\n", .length(5), 5, false),
        (200, "HEAD", "Content-Length: 5\r\n", .none, 5, true),
        (200, "HEAD", "Transfer-Encoding: chunked\r\n", .none, nil, true),
        (200, "HEAD", "", .none, nil, true),
        (204, "GET", "Content-Length: 0\r\n", .none, nil, true),
        (204, "GET", "Content-Length: 5\r\n", .none, nil, false),
        (204, "GET", "Transfer-Encoding: chunked\r\n", .none, nil, false),
        (304, "GET", "Transfer-Encoding: chunked\r\n", .none, nil, false),
        (304, "GET", "Content-Length: 5\r\n", .none, 5, true),
        (100, "GET", "Content-Length: 5\r\n", .none, nil, true),
        (101, "GET", "Connection: upgrade\r\nUpgrade: websocket\r\n", .none, nil, false),
        (205, "GET", "Content-Length: 0\r\n", .length(0), 0, true),
        (200, "CONNECT", "Content-Length: 5\r\n", .none, nil, false),
        (403, "CONNECT", "Content-Length: 5\r\n", .length(5), 5, true),
    ]

    @Test(arguments: framings)
    func framing(
        _ row: (Int, String, String, BodyFraming, length: Int?, persistent: Bool)
    ) throws {
        let head = try head("HTTP/1.1 \(row.0) X\r\n\(row.2)\r\n", answering: row.1)
        #expect(head.framing == row.3)
        #expect(head.declaredLength == row.length)
        #expect(head.isPersistent == row.persistent)
        #expect(head.isInterim == (row.0 == 100))
        #expect(head.isSwitchingProtocols == (row.0 == 101))
        #expect(head.upgrade == (row.0 == 101 ? "websocket" : nil))
    }

    @Test func anHTTP10ResponsePersistsOnlyIfItSaysSo() throws {
        #expect(try !head("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\n").isPersistent)
        let kept = "HTTP/1.0 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\n"
        #expect(try head(kept).isPersistent)
    }

    @Test func aParserReadsInterimAndFinalResponse() throws {
        var parser = ResponseHeadParser(limits: HeadLimits())
        #expect(!parser.hasBegun)
        let bytes = Array("HTTP/1.1 103 Early\r\nA: b\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8)
        let first = try parser.consume(bytes[...])
        #expect(parser.hasBegun)
        #expect(try parser.takeHead(answering: "GET").isInterim)
        #expect(!parser.hasBegun)
        let second = try parser.consume(bytes[first...])
        #expect(first + second == bytes.count)
        #expect(try parser.takeHead(answering: "GET").status == 200)
    }
}
