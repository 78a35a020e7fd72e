import Multipart
import TestSupport
import Testing

/// The header block of most rows, and what comes before it.
let disposition = "Content-Disposition: form-data; name=\"a\"\r\n"
let field = disposition + "\r\n"
let open = "--b0Und\r\n" + field
let close = "\r\n--b0Und--\r\n"

@Suite struct FramingTests {
    static let rows = [
        BodyRow("one part", open + "one" + close, contents: ["one"]),
        BodyRow("no CRLF after the close", open + "one\r\n--b0Und--", contents: ["one"]),
        BodyRow("empty line after the close", open + "one" + close + "\r\n", contents: ["one"]),
        BodyRow("empty content", open + close, contents: [""]),
        BodyRow("two parts", open + "1\r\n" + open + "2" + close, contents: ["1", "2"]),
        BodyRow("close-delimiter only", "--b0Und--", contents: []),
        BodyRow("one CRLF in front", "\r\n" + open + "x" + close, contents: ["x"]),
        BodyRow("close-delimiter only, CRLF in front", close, contents: []),
        BodyRow("in a line", open + "x--b0Und\r\ny" + close, contents: ["x--b0Und\r\ny"]),
        BodyRow("after a space", open + "\r\n --b0Und" + close, contents: ["\r\n --b0Und"]),
        BodyRow("three dashes", open + "\r\n---b0Und" + close, contents: ["\r\n---b0Und"]),
        BodyRow("all but one byte", open + "\r\n--b0Un\r\n" + close, contents: ["\r\n--b0Un\r\n"]),
        BodyRow("other case", open + "\r\n--B0UND" + close, contents: ["\r\n--B0UND"]),
        BodyRow("CR LF content", open + "\r\r\n\n\n\r\r" + close, contents: ["\r\r\n\n\n\r\r"]),
        BodyRow("CR before the delimiter", open + "x\r" + close, contents: ["x\r"]),
        BodyRow("CRLF before the delimiter", open + "x\r\n" + close, contents: ["x\r\n"]),
        BodyRow("dashes before it", open + "x\r\n--" + close, contents: ["x\r\n--"]),

        BodyRow("no body", "^", fault: .delimiterMissingFirst, contents: []),
        BodyRow("only CRLF", "\r\n^", fault: .delimiterMissingFirst),
        BodyRow("only text", "^a=1&b=2^", [.preamblePresent], fault: .delimiterMissingFirst),
        BodyRow("first dash", "-^", fault: .finalDelimiterMissing),
        BodyRow("first delimiter", "--b0Und^", fault: .finalDelimiterMissing),
        BodyRow("first delimiter line", "--b0Und\r\n^", fault: .finalDelimiterMissing),
        BodyRow("cut in the head", "--b0Und\r\nContent^", fault: .finalDelimiterMissing),
        BodyRow("cut after the head", open + "^", fault: .finalDelimiterMissing, contents: [""]),
        BodyRow("cut in content", open + "x^", fault: .finalDelimiterMissing, contents: ["x"]),
        BodyRow("cut in a delimiter", open + "x\r\n--b^", fault: .finalDelimiterMissing),
        BodyRow("cut in the close", open + "x\r\n--b0Und-^", fault: .finalDelimiterMissing),

        BodyRow("preamble", "^text\r\n" + open + close, [.preamblePresent], contents: [""]),
        BodyRow("two CRLF in front", "^\r\n\r\n" + open + close, [.preamblePresent]),
        BodyRow("glued preamble", "^A" + open + close, [.preamblePresent], contents: []),
        BodyRow("byte order mark", "^\u{EF}\u{BB}\u{BF}\r\n" + open + close, [.preamblePresent]),
        BodyRow("LF in front", "^\n" + open + close, [.delimiterBareLF], contents: [""]),
        BodyRow("CR in front", "^\r" + open + close, [.delimiterBareCR], contents: [""]),
        BodyRow("epilogue", open + close + "^text", [.epiloguePresent], contents: [""]),
        BodyRow("hidden part", open + close + "^" + open + close, [.epiloguePresent]),
        BodyRow("three line ends", open + close + "\r\n^\r\n", [.epiloguePresent]),
        BodyRow("glued to the close", open + "\r\n--b0Und--^zzz\r\n", [.epiloguePresent]),
        BodyRow("padded close", open + "\r\n--b0Und--^ \t\r\n", [.delimiterPadding]),
        BodyRow(
            "padded close, text",
            open + "\r\n--b0Und--^ ^z",
            [.delimiterPadding, .epiloguePresent]
        ),
        BodyRow("close, LF", open + "\r\n--b0Und--^\n", [.lineBareLF]),
        BodyRow("close, CR", open + "\r\n--b0Und--^\r", [.lineBareCR]),
        BodyRow(
            "close, padding, CR",
            open + "\r\n--b0Und--^ ^\r",
            [.delimiterPadding, .lineBareCR]
        ),
        BodyRow(
            "close, padding, LF",
            open + "\r\n--b0Und--^ ^\n",
            [.delimiterPadding, .lineBareLF]
        ),
        BodyRow("close, CR, text", open + "\r\n--b0Und--^\r^z", [.lineBareCR, .epiloguePresent]),
        BodyRow("close, LF, text", open + "\r\n--b0Und--^\n^z", [.lineBareLF, .epiloguePresent]),
        BodyRow("close, CRLF, space", open + close + "^ ", [.epiloguePresent]),

        BodyRow(
            "delimiter after LF",
            open + "x^\n" + open + "y" + close,
            [.delimiterBareLF],
            contents: ["x", "y"]
        ),
        BodyRow(
            "delimiter after CR",
            open + "x^\r" + open + "y" + close,
            [.delimiterBareCR],
            contents: ["x", "y"]
        ),
        BodyRow(
            "delimiter after LF CR",
            open + "x\n^\r--b0Und--",
            [.delimiterBareCR],
            contents: ["x\n"]
        ),
        BodyRow(
            "delimiter first, after LF",
            open + "^\n--b0Und--",
            [.delimiterBareLF],
            contents: [""]
        ),
        BodyRow(
            "no body of a part",
            open + "^" + open + close,
            [.partBodyless],
            contents: ["", ""]
        ),
        BodyRow("close instead of a body", open + "^--b0Und--", [.partBodyless], contents: [""]),
        BodyRow("almost no body", open + "--b0Unx" + close, contents: ["--b0Unx"]),
        BodyRow(
            "padding",
            "--b0Und^ \t \r\n" + field + "x" + close,
            [.delimiterPadding],
            contents: ["x"]
        ),
        BodyRow("padding, close", open + "\r\n--b0Und^ --", [.delimiterPadding], contents: [""]),
        BodyRow("delimiter, LF", "--b0Und^\n" + field + close, [.lineBareLF], contents: [""]),
        BodyRow("delimiter, CR", "--b0Und^\r" + field + close, [.lineBareCR], contents: [""]),
        BodyRow("longer boundary", open + "\r\n--b0Und^Q\r\n", fault: .delimiterTrailingBytes),
        BodyRow("NUL after it", "--b0Und^\0\r\n", fault: .delimiterTrailingBytes),
        BodyRow("one dash", open + "x\r\n--b0Und-^\r\n", fault: .delimiterTrailingBytes),
        BodyRow(
            "text after padding",
            "--b0Und^ ^x",
            [.delimiterPadding],
            fault: .delimiterTrailingBytes
        ),
        BodyRow(
            "content length",
            "--b0Und\r\nContent-Length: 3\r\n" + field + "abc" + close,
            contents: ["abc"]
        ),
        BodyRow(
            "wrong content length",
            "--b0Und\r\nContent-Length: ^4\r\n" + field + "abc" + close,
            [.partContentLengthMismatch]
        ),
        BodyRow(
            "content length is no number",
            "--b0Und\r\nContent-Length: ^+3\r\n" + field + "abc" + close,
            [.partContentLengthMismatch]
        ),
        BodyRow(
            "content length overflows",
            "--b0Und\r\nContent-Length: ^9999999999999999999\r\n" + field + "abc" + close,
            [.partContentLengthMismatch]
        ),
    ]

    @Test(arguments: rows)
    func everyCutGivesTheSameEvents(_ row: BodyRow) throws {
        let whole = try events(of: [row.body[...]])
        row.expect(whole, "whole")
        for cut in cuts(of: row.body) {
            #expect(try events(of: cut) == whole, "cut: \(cut.map(\.count))")
        }
    }

    /// The events of one body in full, so that their order and offsets are written down once.
    @Test func eventsComeInTheOrderOfTheBody() throws {
        let body = Array((open + "one\n" + open + "two" + close).utf8)
        func part(_ index: Int, _ head: Int, _ content: Int) -> Event {
            .part(
                Event.Part(
                    index: index,
                    headOffset: head,
                    contentOffset: content,
                    name: "a",
                    filename: nil,
                    extendedFilename: nil,
                    contentType: nil,
                    fields: ["Content-Disposition=form-data; name=\"a\""]
                )
            )
        }
        let expected: [Event] = [
            .head(9), part(0, 9, 53), .content(Array("one".utf8)), .fact(.delimiterBareLF, 56),
            .end(56), .head(66), part(1, 66, 110), .content(Array("two".utf8)), .end(113),
            .finished,
        ]
        #expect(try events(of: [body[...]]) == expected)
    }

    @Test(arguments: ["-", "----", "-----q", "aabaabaa", "a b", "=/:?'()+_,-."])
    func hardBoundariesAreFound(_ boundary: String) throws {
        let content = "\r\n--\(boundary.dropLast())x\r\n-\r\n--x--\(boundary)--"
        let head = "--\(boundary)\r\n" + field
        let body = Array((head + content + "x\r\n--\(boundary)--").utf8)
        for cut in cuts(of: body) {
            let events = try events(of: cut, boundary: boundary)
            #expect(events.last == .finished, "\(boundary)")
            let expected: [UInt8] = Array((content + "x").utf8)
            #expect(events.contains(.content(expected)), "\(boundary) \(cut.map(\.count))")
        }
    }

    @Test func aStoppedSinkHearsNothingMore() throws {
        let body = Array(("pre\r\n" + open + "x\r\n" + open + "yy" + close + "post").utf8)
        let all = try events(of: [body[...]])
        for count in 1..<all.count {
            for cut in [[body[...]], body.indices.map { body[$0...$0] }] {
                var parser = MultipartParser(boundary: try MultipartBoundary("b0Und"))
                var sink = Recorder(remaining: count)
                for piece in cut where !sink.isStopped {
                    try parser.consume(piece.span, into: &sink)
                }
                #expect(sink.isStopped)
                #expect(sink.events.count <= count)
                #expect(sink.events.dropLast() == all.prefix(sink.events.count - 1))
            }
        }
    }

    @Test func paddingIsBounded() throws {
        var limits = MultipartLimits()
        limits.partHeaderLineBytes = 3
        let padded = Array("--b0Und   \t\r\n".utf8)
        #expect(
            try events(of: [padded[...]], limits: limits)
                == [.fact(.delimiterPadding, 7), .fault(.delimiterTrailingBytes, 10)]
        )
    }
}
