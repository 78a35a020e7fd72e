import Multipart
import TestSupport
import Testing

@Suite struct PartHeadTests {
    /// A header block without the Content-Disposition that makes it complete.
    private static func row(
        _ description: String,
        _ block: String,
        _ reasons: [MultipartReason] = [],
        fault: MultipartReason? = nil
    ) -> BodyRow {
        let rest = fault == nil ? field + "x" + close : ""
        return BodyRow(description, "--b0Und\r\n" + block + rest, reasons, fault: fault)
    }

    static let rows = [
        row("another field", "X-Note: 17\r\n"),
        row("empty value", "X-Note:\r\n"),
        row("spaces around a value", "X-Note: \t a b \t \r\n"),
        row("any token as a name", "__proto__: x\r\n!#$%&'*+-.|~: y\r\n"),
        BodyRow(
            "Latin-1 in a parameter nobody reads",
            "--b0Und\r\nContent-Disposition: form-data; name=a; ^note=\"caf^\u{E9}\"\r\n\r\nx"
                + close,
            [.dispositionUnknownParameter, .partHeaderInvalidUTF8]
        ),
        row("Latin-1 value", "X-Note: caf^\u{E9}\r\n", [.partHeaderInvalidUTF8]),

        row("no colon", "junk^\r\n", [.partHeaderNoColon]),
        row("no colon, tab", "Content-Type\t^\r\n", [.partHeaderNoColon]),
        row("no colon, LF", "junk^^\n", [.partHeaderNoColon, .lineBareLF]),
        row("request line", "GET^ / HTTP/1.1^\r\n", [.partHeaderBadName, .partHeaderNoColon]),
        row("empty name", "^: x\r\n", [.partHeaderBadName]),
        row("space in a name", "X^ Note: x\r\n", [.partHeaderBadName]),
        row("control in a name", "X^\u{0E}N\u{0E}: x\r\n", [.partHeaderBadName]),
        row("UTF-8 in a name", "X^\u{C3}\u{A9}: x\r\n", [.partHeaderBadName]),
        row("NUL in a name", "X^\0: x\r\n", [.partHeaderNUL]),
        row("NUL in a value", "X: a^\0b\0\r\n", [.partHeaderNUL]),
        row("space before colon", "X^ : a\r\n", [.partHeaderSpaceBeforeColon]),
        row("tab before colon", "X^\t\t: a\r\n", [.partHeaderSpaceBeforeColon]),
        row(
            "control",
            "X: a^\u{01}\u{02}\r\nY: ^\u{7F}\r\n",
            [.partHeaderControl, .partHeaderControl]
        ),
        row("tab is no control", "X: a\tb\r\n"),
        row("folded", "X: a\r\n^ b\r\n^\tc\r\n", [.partHeaderFolded, .partHeaderFolded]),
        row("folded first line", "^ X: a\r\n", [.partHeaderFolded]),
        row(
            "folded after no colon",
            "junk^\r\n^ X: a\r\n",
            [.partHeaderNoColon, .partHeaderFolded]
        ),
        row("LF", "X: a^\nY: b\r\n", [.lineBareLF]),
        row("CR", "X: a^\rY: b\r\n", [.lineBareCR]),
        row("LF folded", "X: a^\n^ b\r\n", [.lineBareLF, .partHeaderFolded]),
        row(
            "two types",
            "Content-Type: a/b\r\n^Content-type: a/b\r\n",
            [.partHeaderDuplicate]
        ),
        row(
            "two encodings",
            "Content-Transfer-Encoding: 8BIT\r\n^content-transfer-encoding: base64\r\n",
            [.partHeaderDuplicate]
        ),
        BodyRow(
            "two dispositions",
            "--b0Und\r\n" + disposition + "^" + field + close,
            [.partHeaderDuplicate]
        ),
        BodyRow(
            "empty line ends with LF",
            "--b0Und\r\n" + disposition + "^\nx" + close,
            [.lineBareLF],
            contents: ["x"]
        ),
        BodyRow(
            "empty line ends with CR",
            "--b0Und\r\n" + disposition + "^\rx" + close,
            [.lineBareCR],
            contents: ["x"]
        ),
        BodyRow("no disposition", "--b0Und\r\n^X: y\r\n\r\n" + close, [.dispositionMissing]),
        BodyRow("no fields", "--b0Und\r\n^\r\n" + close, [.dispositionMissing]),
        BodyRow(
            "name with a suffix",
            "--b0Und\r\n^Content-Disposition-X: form-data; name=a\r\n\r\n" + close,
            [.dispositionMissing]
        ),

        row("type with charset", "Content-Type: text/plain; charset=Shift_JIS\r\n"),
        row("type with a quoted charset", "Content-Type: Text/Plain;charset=\"UTF-8\";\r\n"),
        row("no subtype", "Content-Type: ^text\r\n", [.partHeaderBadContentType]),
        row("two slashes", "Content-Type: ^a/b/c\r\n", [.partHeaderBadContentType]),
        row("empty type", "Content-Type:^\r\n", [.partHeaderBadContentType]),
        row("no semicolon", "Content-Type: a/b ^c=d\r\n", [.partHeaderBadContentType]),
        row("type not UTF-8", "Content-Type: a/b; c=\"^\u{E9}\"\r\n", [.partHeaderInvalidUTF8]),
        row("nested", "Content-Type: ^Multipart/mixed; boundary=x\r\n", [.partNestedMultipart]),
        row("UTF-7", "Content-Type: text/plain; charset=^utf-7\r\n", [.partCharset]),
        row("UTF-16", "Content-Type: text/plain; charset=\"^UTF-16LE\"\r\n", [.partCharset]),
        row("UTF-32", "Content-Type: text/plain; charset=^UTF_32\r\n", [.partCharset]),
        row("EBCDIC", "Content-Type: text/plain; charset=^IBM037\r\n", [.partCharset]),
        row("EBCDIC by its code page", "Content-Type: a/b; charset=^cp1047\r\n", [.partCharset]),
        row("not EBCDIC", "Content-Type: text/plain; charset=ibm850\r\n"),
        row("7bit", "Content-Transfer-Encoding: 7bit\r\n"),
        row("binary", "Content-Transfer-Encoding: Binary\r\n"),
        row("base64", "Content-Transfer-Encoding: ^base64\r\n", [.partTransferEncoding]),
        row("no encoding", "Content-Transfer-Encoding:^\r\n", [.partTransferEncoding]),
    ]

    @Test(arguments: rows)
    func everyCutGivesTheSameEvents(_ row: BodyRow) throws {
        let whole = try events(of: [row.body[...]])
        row.expect(whole, "whole")
        for cut in cuts(of: row.body) {
            #expect(try events(of: cut) == whole, "cut: \(cut.map(\.count))")
        }
    }

    static let limitRows = [
        row("line", "1234:678^9\r\n", fault: .partHeaderLineTooLong),
        row(
            "folded line",
            "X:1\r\n^ 2345678^9\r\n",
            [.partHeaderFolded],
            fault: .partHeaderLineTooLong
        ),
        row("line never ends", "12345678^9", fault: .partHeaderLineTooLong),
        row("block", "X: a\r\nX: b\r\nX: c^\r\n", fault: .partHeaderBlockTooLarge),
        row(
            "block, at its empty line",
            "X:a\r\nX:b\r\nX:3\r\n\r^\n",
            fault: .partHeaderBlockTooLarge
        ),
        row("too many", "X:a\r\nY:b\r\nZ:\r\n^W", fault: .partHeaderTooMany),
        row(
            "too many without colons",
            "X^\r\nY^\r\nZ^\r\n^W",
            [.partHeaderNoColon, .partHeaderNoColon, .partHeaderNoColon],
            fault: .partHeaderTooMany
        ),
    ]

    @Test(arguments: limitRows)
    func limitsHoldForEveryCut(_ row: BodyRow) throws {
        var limits = MultipartLimits()
        limits.partHeaderLineBytes = 8
        limits.partHeaderBytes = 16
        limits.partHeaderFields = 3
        for cut in cuts(of: row.body) {
            row.expect(try events(of: cut, limits: limits), "cut: \(cut.map(\.count))")
        }
    }

    @Test func limitsMayBeReached() throws {
        var limits = MultipartLimits()
        let body = Array((open + "x" + close).utf8)
        limits.partHeaderBytes = field.utf8.count
        limits.partHeaderLineBytes = field.utf8.count - 4
        limits.partHeaderFields = 1
        #expect(try events(of: [body[...]], limits: limits).last == .finished)
    }

    @Test func limitsOfAnySizeAreSafe() throws {
        for size in [Int.min, -1, 0, Int.max] {
            var limits = MultipartLimits()
            limits.partHeaderBytes = size
            limits.partHeaderLineBytes = size
            limits.partHeaderFields = size
            limits.nameBytes = size
            limits.filenameBytes = size
            let body = Array((open + "x" + close).utf8)
            let events = try events(of: [body[...]], limits: limits)
            #expect((events.last == .finished) == (size == .max))
        }
    }

    /// Only these bytes may stand in a value, in a name, and in front of a name.
    @Test(arguments: UInt8.min...UInt8.max)
    func everyByteIsClassified(_ byte: UInt8) throws {
        func reasons(_ line: [UInt8]) throws -> [MultipartReason] {
            let body = Array("--b0Und\r\n".utf8) + line + Array(("\r\n" + field).utf8)
            return try events(of: [body[...]]).compactMap { event in
                if case .fact(let reason, _) = event { reason } else { nil }
            }
        }
        let inValue = try reasons(Array("X: a".utf8) + [byte, 98])
        let inName = try reasons([88, byte, 89, 58, 98])
        switch byte {
        case 0:
            #expect(inValue == [.partHeaderNUL])
            #expect(inName == [.partHeaderNUL])
        case 10, 13:
            let end: MultipartReason = byte == 10 ? .lineBareLF : .lineBareCR
            #expect(inValue == [end, .partHeaderNoColon])
            #expect(inName == [.partHeaderNoColon, end])
        case 58:
            #expect(inValue == [] && inName == [])
        default:
            let isText = byte == 9 || byte >= 32 && byte < 127
            let control: [MultipartReason] =
                byte >= 128 ? [.partHeaderInvalidUTF8] : [.partHeaderControl]
            #expect(inValue == (isText ? [] : control))
            let letters = Array("!#$%&'*+-.^_`|~0123456789".utf8)
            let isToken =
                letters.contains(byte) || Character(Unicode.Scalar(byte)).isLetter && byte < 128
            #expect(inName == (isToken ? [] : [.partHeaderBadName]))
        }
    }

    @Test func theHeadGivesItsFields() throws {
        let block = "Content-Type: a/b; c=d\r\nX-Note:  1\r\n 2 \r\nX-note: 3\r\n"
        let body = Array(("--b0Und\r\n" + block + field + "x").utf8)
        var parser = MultipartParser(boundary: try MultipartBoundary("b0Und"))
        var sink = HeadKeeper()
        try parser.consume(body.span, into: &sink)
        let head = try #require(sink.head)
        #expect(head.fieldCount == 4)
        #expect(head.value(of: "x-note") == "1   2")
        #expect(head.value(of: "x-none") == nil)
        #expect(head.contentType == "a/b; c=d")
        #expect(head.name == "a" && !head.isFile)
        #expect(head.bytes.count == head.contentOffset - head.headOffset)
        #expect(head.text(0..<Int.max) == head.text(0..<head.bytes.count))
    }
}

private struct HeadKeeper: MultipartSink {
    var head: PartHead?
    var isStopped: Bool { false }

    mutating func partBegins(_ head: PartHead) { self.head = head }
    mutating func content(_ bytes: Span<UInt8>) {}
    mutating func partEnds(at offset: Int) {}
    mutating func found(_ reason: MultipartReason, at offset: Int) {}
}
