import HTTP1
import TestSupport
import Testing
import Wire

/// Every defect of a request head, at its exact offset, however the input is cut.
@Suite struct RequestFaultTests {
    /// A request line and Host, 27 bytes; what follows begins at offset 27.
    static let get = "GET / HTTP/1.1\r\nHost: a.b\r\n"

    static let lineRows = [
        FaultRow("\r\n\r\nGET / HTTP/1.1\r\n", .requestLineInvalid, at: 2),
        FaultRow("\rGET", .bareCR, at: 0),
        FaultRow("\nGET", .bareLF, at: 0),
        FaultRow(" GET / HTTP/1.1", .methodInvalid, at: 0),
        FaultRow("GET\r\n", .requestLineInvalid, at: 3),
        FaultRow("GET\rX", .bareCR, at: 3),
        FaultRow("GET\n", .bareLF, at: 3),
        FaultRow("GET\t/ HTTP/1.1", .methodInvalid, at: 3),
        FaultRow("GET\u{B}/ HTTP/1.1", .methodInvalid, at: 3),
        FaultRow("G@T / HTTP/1.1", .methodInvalid, at: 1),
        FaultRow("G\0T / HTTP/1.1", .nul, at: 1),
        FaultRow("\u{FEFF}GET / HTTP/1.1", .methodInvalid, at: 0),
        FaultRow("", [0x16, 0x03, 0x01, 0x02], "", .methodInvalid, at: 0),
        FaultRow("GET  / HTTP/1.1", .requestLineInvalid, at: 4),
        FaultRow("GET \r\n", .requestLineInvalid, at: 4),
        FaultRow("GET /\r\n", .versionMissing, at: 5),
        FaultRow("GET /\rX", .bareCR, at: 5),
        FaultRow("GET /\n", .bareLF, at: 5),
        FaultRow("GET /\0 HTTP/1.1", .nul, at: 5),
        FaultRow("GET /\u{1} HTTP/1.1", .targetInvalid, at: 5),
        FaultRow("GET /\u{7F} HTTP/1.1", .targetInvalid, at: 5),
        FaultRow("GET /\t HTTP/1.1", .targetInvalid, at: 5),
        FaultRow("GET /a#b HTTP/1.1", .targetFragment, at: 6),
        FaultRow("GET /é HTTP/1.1", .targetInvalid, at: 5),
        FaultRow("GET /\" HTTP/1.1", .targetInvalid, at: 5),
        FaultRow("GET / a HTTP/1.1", .versionInvalid, at: 6),
        FaultRow("GET /  HTTP/1.1", .versionInvalid, at: 6),
        FaultRow("GET / http/1.1", .versionInvalid, at: 6),
        FaultRow("GET / HTTP/01.1", .versionInvalid, at: 11),
        FaultRow("GET / HTTP/0.9", .versionInvalid, at: 11),
        FaultRow("GET / HTTP/1,1", .versionInvalid, at: 12),
        FaultRow("GET / HTTP/1\r\n", .versionInvalid, at: 12),
        FaultRow("GET / HTTP/1.x", .versionInvalid, at: 13),
        FaultRow("GET / HTTP/1.10", .versionInvalid, at: 14),
        FaultRow("GET / HTTP/1.1 \r\n", .versionInvalid, at: 14),
        FaultRow("GET / HTTP/1.1\n", .bareLF, at: 14),
        FaultRow("GET / HTTP/1.1\0", .nul, at: 14),
        FaultRow("GET / HTTP/1.1\rX", .bareCR, at: 14),
        FaultRow("PRI * HTTP/2.0\r\n", .versionUnsupported, at: 11),
        FaultRow("GET / HTTP/3.1\r\n", .versionUnsupported, at: 11),
    ]

    static let fieldRows = [
        FaultRow("GET / HTTP/1.1\r\n Host: a\r\n", .leadingWhitespace, at: 16),
        FaultRow(get + " fold\r\n\r\n", .fieldFolded, at: 27),
        FaultRow(get + "\tfold\r\n\r\n", .fieldFolded, at: 27),
        FaultRow(get + ": x\r\n\r\n", .fieldNameEmpty, at: 27),
        FaultRow(get + "A : x\r\n\r\n", .spaceBeforeColon, at: 28),
        FaultRow(get + "A\t: x\r\n\r\n", .spaceBeforeColon, at: 28),
        FaultRow(get + "A(: x\r\n\r\n", .fieldNameInvalid, at: 28),
        FaultRow(get + "(: x\r\n\r\n", .fieldNameInvalid, at: 27),
        FaultRow(get + "A", [0xA0], ": x\r\n\r\n", .fieldNameInvalid, at: 28),
        FaultRow(get + "A\0: x\r\n\r\n", .nul, at: 28),
        FaultRow(get + "A\r\n\r\n", .fieldNoColon, at: 28),
        FaultRow(get + "A\rB: x\r\n", .bareCR, at: 28),
        FaultRow(get + "A\nB: x\r\n", .bareLF, at: 28),
        FaultRow(get + "A: x\0\r\n", .nul, at: 31),
        FaultRow(get + "A: x\u{B}\r\n", .fieldValueControl, at: 31),
        FaultRow(get + "A: x\u{7F}\r\n", .fieldValueControl, at: 31),
        FaultRow(get + "A: x\n\r\n", .bareLF, at: 31),
        FaultRow(get + "A: x\rB: y\r\n", .bareCR, at: 31),
        FaultRow(get + "A: x\r\r\n", .bareCR, at: 31),
        FaultRow(get + "\n", .bareLF, at: 27),
        FaultRow(get + "\rX", .bareCR, at: 27),
        FaultRow(get + "\0: x", .nul, at: 27),
    ]

    static let hostRows = [
        FaultRow("GET / HTTP/1.1\r\n\r\n", .hostMissing, at: 16),
        FaultRow("GET http://a/ HTTP/1.1\r\n\r\n", .hostMissing, at: 24),
        FaultRow(get + "host: a.b\r\n\r\n", .hostDuplicate, at: 27),
        FaultRow("GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", .hostDuplicate, at: 25),
        FaultRow("GET / HTTP/1.1\r\nHost:\r\n\r\n", .hostInvalid, at: 21),
        FaultRow("GET / HTTP/1.0\r\nHost: \r\n\r\n", .hostInvalid, at: 22),
        FaultRow("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", .hostInvalid, at: 23),
        FaultRow("GET http://a/ HTTP/1.1\r\nHost: a/\r\n\r\n", .hostInvalid, at: 31),
    ]

    static let targetRows = [
        FaultRow("GET a.b:80 HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 4),
        FaultRow("GET @a/x HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 4),
        FaultRow("GET * HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 4),
        FaultRow("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 4),
        FaultRow("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 11),
        FaultRow("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 12),
        FaultRow("GET http://a:x/ HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 13),
        FaultRow("GET /a\\b HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 6),
        FaultRow("CONNECT / HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 8),
        FaultRow("CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 9),
        FaultRow("CONNECT http://a:1 HTTP/1.1\r\nHost: a\r\n\r\n", .targetInvalid, at: 13),
    ]

    static let framingRows = [
        FaultRow(get + "Content-Length:\r\n\r\n", .contentLengthInvalid, at: 42),
        FaultRow(get + "Content-Length: +5\r\n\r\n", .contentLengthInvalid, at: 43),
        FaultRow(get + "Content-Length: -5\r\n\r\n", .contentLengthInvalid, at: 43),
        FaultRow(get + "Content-Length: 5, 5\r\n\r\n", .contentLengthInvalid, at: 44),
        FaultRow(get + "Content-Length: 0x5\r\n\r\n", .contentLengthInvalid, at: 44),
        FaultRow(get + "Content-Length: 1_0\r\n\r\n", .contentLengthInvalid, at: 44),
        FaultRow(get + "Content-Length: 1 0\r\n\r\n", .contentLengthInvalid, at: 44),
        FaultRow(get + "Content-Length: ٥\r\n\r\n", .contentLengthInvalid, at: 43),
        FaultRow(get + "Content-Length: 5", [0xA0], "\r\n\r\n", .contentLengthInvalid, at: 44),
        FaultRow(
            get + "Content-Length: 1000000000000000000\r\n\r\n",
            .contentLengthTooLarge,
            at: 61
        ),
        FaultRow(
            get + "Content-Length: 100000000000000000000000000000x\r\n\r\n",
            .contentLengthInvalid,
            at: 73
        ),
        FaultRow(
            get + "Content-Length: 5\r\ncontent-length: 5\r\n\r\n",
            .contentLengthDuplicate,
            at: 46
        ),
        FaultRow(
            get + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
            .contentLengthWithTransferEncoding,
            at: 46
        ),
        FaultRow(
            get + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
            .contentLengthWithTransferEncoding,
            at: 55
        ),
        FaultRow(
            get + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
            .transferEncodingDuplicate,
            at: 55
        ),
        FaultRow(
            "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
            .transferEncodingInHTTP10,
            at: 16
        ),
    ]

    /// Transfer-Encoding values that are not `chunked`, each at offset 46.
    static let codingRows =
        [
            ("gzip", HTTPReason.transferEncodingUnknown),
            ("identity", .transferEncodingUnknown),
            ("xchunked", .transferEncodingUnknown),
            ("gzip, chunked", .transferEncodingUnknown),
            ("'chunked'", .transferEncodingUnknown),
            ("chunked, chunked", .transferEncodingInvalid),
            ("chunked, gzip", .transferEncodingInvalid),
            ("chunked,", .transferEncodingInvalid),
            (",chunked", .transferEncodingInvalid),
            ("chunked;q=1", .transferEncodingInvalid),
            ("chunked chunked", .transferEncodingInvalid),
            ("\"chunked\"", .transferEncodingInvalid),
            ("chu nked", .transferEncodingInvalid),
            ("chunked\u{A0}", .transferEncodingInvalid),
            (",", .transferEncodingInvalid),
        ].map { value, reason in
            FaultRow(get + "Transfer-Encoding: \(value)\r\n\r\n", reason, at: 46)
        } + [
            FaultRow(get + "Transfer-Encoding:\r\n\r\n", .transferEncodingInvalid, at: 45)
        ]

    static let connectionRows = [
        FaultRow(get + "Connection: , ,;;\"x\r\n\r\n", .connectionInvalid, at: 42),
        FaultRow(get + "Connection: a b\r\n\r\n", .connectionInvalid, at: 39),
        FaultRow(get + "Connection: x, Host\r\n\r\n", .connectionListsFraming, at: 42),
        FaultRow(get + "Connection: content-length\r\n\r\n", .connectionListsFraming, at: 39),
        FaultRow(get + "Connection: Transfer-Encoding\r\n\r\n", .connectionListsFraming, at: 39),
        FaultRow(get + "Expect: 100-continuey\r\n\r\n", .expectationUnknown, at: 35),
        FaultRow(get + "Expect: 100-continue, x\r\n\r\n", .expectationUnknown, at: 35),
        FaultRow(get + "Expect:\r\n\r\n", .expectationUnknown, at: 34),
        FaultRow(
            get + "Expect: 100-continue\r\nExpect: 100-continue\r\n\r\n",
            .expectationUnknown,
            at: 49
        ),
    ]

    /// An OPTIONS request line and Host, 31 bytes; a value begins at offset 45.
    static let forwardsRows =
        [
            ("", 44), (" ", 45), (" -1", 45), (" +1", 45), (" 1x", 46), (" 0x0", 46), (" 0, 0", 46),
            (" 1 0", 46), (" 1.0", 46), (" \"0\"", 45), (" 00000000000000000000000000000x", 74),
        ].map { value, offset in
            FaultRow(options + "Max-Forwards:\(value)\r\n\r\n", .maxForwardsInvalid, at: offset)
        } + [
            FaultRow(
                options + "Max-Forwards: 0\r\nmax-forwards: 0\r\n\r\n",
                .maxForwardsInvalid,
                at: 48
            )
        ]
    private static let options = "OPTIONS / HTTP/1.1\r\nHost: a.b\r\n"

    /// Rows for limits of 20 bytes a line, 3 fields and 64 bytes in all.
    static let limitRows = [
        FaultRow("ABCDEFGHIJKLMNOPQRSTU", .requestLineTooLong, at: 20),
        FaultRow("GET /3456789012345678901", .requestLineTooLong, at: 20),
        FaultRow("GET /34567890 HTTP/1.1\r\n", .requestLineTooLong, at: 20),
        FaultRow("\r\nGET /34567890123456789", .requestLineTooLong, at: 22),
        FaultRow("GET / HTTP/1.1\r\nABCDEFGHIJKLMNOPQRSTU", .fieldLineTooLong, at: 36),
        FaultRow("GET / HTTP/1.1\r\nA: DEFGHIJKLMNOPQRSTU", .fieldLineTooLong, at: 36),
        FaultRow("GET / HTTP/1.1\r\nA:\r\nB:\r\nC:\r\nD:\r\n", .tooManyFields, at: 28),
        FaultRow(
            "GET / HTTP/1.1\r\nHost: 6789012345678\r\nA: 345678901234567\r\nB: 34567",
            .headTooLarge,
            at: 64
        ),
    ]

    static let smallLimits = HeadLimits(
        requestLineBytes: 20,
        fieldLineBytes: 20,
        headBytes: 64,
        fields: 3
    )

    static let rows =
        lineRows + fieldRows + hostRows + targetRows + framingRows + codingRows + connectionRows
        + forwardsRows

    @Test(arguments: rows)
    func everyCutFaultsAtTheSameByte(_ row: FaultRow) {
        for cut in cuts(of: row.input) {
            let outcome = RequestOutcome(parsing: cut)
            #expect(outcome.fault == row.fault, "cut: \(cut.map(\.count))")
            #expect(outcome.head == nil)
        }
    }

    @Test(arguments: limitRows)
    func limitsAreExact(_ row: FaultRow) {
        for cut in cuts(of: row.input) {
            let outcome = RequestOutcome(parsing: cut, limits: Self.smallLimits)
            #expect(outcome.fault == row.fault, "cut: \(cut.map(\.count))")
        }
        // The byte before the offence is still within the limit.
        let within = RequestOutcome(
            parsing: [row.input[..<row.fault.offset]],
            limits: Self.smallLimits
        )
        #expect(within.fault == nil)
    }

    @Test func aHeadThatFillsItsLimitsExactlyPasses() {
        let text = "GET /34567890123\r\n"
        #expect(RequestOutcome(parsing: [Array(text.utf8)[...]]).fault?.reason == .versionMissing)
        let head = Array("GET /3 HTTP/1.1\r\nHost: 78901234567890\r\n".utf8)
        let full = head + Array("A: 4567\r\nB: 56789012\r\n\r\n".utf8)
        let limits = HeadLimits(
            requestLineBytes: 15,
            fieldLineBytes: 20,
            headBytes: full.count,
            fields: 3
        )
        for cut in cuts(of: full) {
            #expect(RequestOutcome(parsing: cut, limits: limits).head?.byteCount == full.count)
        }
        var tighter = limits
        tighter.headBytes -= 1
        let fault = HTTPFault(.headTooLarge, at: full.count - 1)
        for cut in cuts(of: full) {
            #expect(RequestOutcome(parsing: cut, limits: tighter).fault == fault)
        }
    }
}
