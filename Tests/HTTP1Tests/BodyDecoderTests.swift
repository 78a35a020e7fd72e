import HTTP1
import TestSupport
import Testing
import Wire

@Suite struct BodyDecoderTests {
    /// One row of the table: what goes in, what must come out.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let input: [UInt8]
        let expected: BodyOutcome

        init(_ input: String, _ expected: BodyOutcome) {
            testDescription = input.debugDescription
            self.input = Array(input.utf8)
            self.expected = expected
        }
    }

    static let chunkRows = [
        Row("5\r\nhello\r\n0\r\n\r\n", .complete("hello")),
        Row("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", .complete("abcde")),
        Row("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", .complete("01234567890123456789")),
        Row("0\r\n\r\n", .complete("")),
        Row("0000000000000000\r\n\r\n", .complete("")),
        Row("0000000000000001\r\nx\r\n0\r\n\r\n", .complete("x")),
        Row("9\r\n0\r\n\r\nGET \r\n0\r\n\r\n", .complete("0\r\n\r\nGET ")),
        Row("0\r\n\r\nGET /", .complete("", rest: 5)),
        Row("", .incomplete("")),
        Row("5\r\nhel", .incomplete("hel")),
        Row("5\r\nhello\r\n", .incomplete("hello")),
        Row("0\r\n\r", .incomplete("")),
        Row("7fffffffffffffff\r\nx", .incomplete("x")),
        Row("\r\n", .fault(.chunkSizeMissing, at: 0)),
        Row("\n", .fault(.chunkSizeMissing, at: 0)),
        Row(";a=b\r\n", .fault(.chunkSizeMissing, at: 0)),
        Row("1\r\nx\r\n\r\n", .fault(.chunkSizeMissing, at: 6, after: "x")),
        Row("+5\r\n", .fault(.chunkSizeInvalid, at: 0)),
        Row(" 5\r\n", .fault(.chunkSizeInvalid, at: 0)),
        Row("\t5\r\n", .fault(.chunkSizeInvalid, at: 0)),
        Row("g\r\n", .fault(.chunkSizeInvalid, at: 0)),
        Row("0x5\r\n", .fault(.chunkSizeInvalid, at: 1)),
        Row("0_5\r\n", .fault(.chunkSizeInvalid, at: 1)),
        Row("5.0\r\n", .fault(.chunkSizeInvalid, at: 1)),
        Row("5\0\r\n", .fault(.chunkSizeInvalid, at: 1)),
        Row("5,a\r\n", .fault(.chunkSizeInvalid, at: 1)),
        Row("8000000000000000\r\n", .fault(.chunkSizeTooLarge, at: 15)),
        Row("FFFFFFFFFFFFFFFF\r\n", .fault(.chunkSizeTooLarge, at: 15)),
        Row("10000000000000005\r\n", .fault(.chunkSizeTooLarge, at: 16)),
        Row("00000000000000005\r\n", .fault(.chunkSizeTooLarge, at: 16)),
        Row("5\nhello", .fault(.chunkLineEndInvalid, at: 1)),
        Row("5\r\rhello", .fault(.chunkLineEndInvalid, at: 2)),
        Row("2\r\r;a\r\n", .fault(.chunkLineEndInvalid, at: 2)),
        Row("0\n\r\n", .fault(.chunkLineEndInvalid, at: 1)),
        Row("1\r\nab", .fault(.chunkDataEndInvalid, at: 4, after: "a")),
        Row("1\r\na\n", .fault(.chunkDataEndInvalid, at: 4, after: "a")),
        Row("1\r\na\rX", .fault(.chunkDataEndInvalid, at: 5, after: "a")),
        Row("5\r\nhello0\r\n\r\n", .fault(.chunkDataEndInvalid, at: 8, after: "hello")),
        Row("0\r\n\n", .fault(.bareLF, at: 3)),
        Row("0\r\n\rX", .fault(.bareCR, at: 3)),
    ]

    static let extensionRows = [
        Row("1;a=b;c\r\nx\r\n0;x=y\r\n\r\n", .complete("x")),
        Row("1;a=\"b;c\\\"\\\\ d\té\"\r\nx\r\n0\r\n\r\n", .complete("x")),
        Row("1;a=\"\"\r\nx\r\n0\r\n\r\n", .complete("x")),
        Row("1 ;\ta = b ; c ;d= \"e\" ;f\r\nx\r\n0\r\n\r\n", .complete("x")),
        Row("1;\r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1;;a\r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1;=b\r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1;a=\r\nx", .fault(.chunkExtensionInvalid, at: 4)),
        Row("1;a=b=c\r\nx", .fault(.chunkExtensionInvalid, at: 5)),
        Row("1;a b\r\nx", .fault(.chunkExtensionInvalid, at: 4)),
        Row("1;a=b c\r\nx", .fault(.chunkExtensionInvalid, at: 6)),
        Row("1;a=\"b\"c\r\nx", .fault(.chunkExtensionInvalid, at: 7)),
        Row("1;a,\r\nx", .fault(.chunkExtensionInvalid, at: 3)),
        Row("1 a=b\r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1 \r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1\t\r\nx", .fault(.chunkExtensionInvalid, at: 2)),
        Row("1;a \r\nx", .fault(.chunkExtensionInvalid, at: 4)),
        Row("1;a=b \r\nx", .fault(.chunkExtensionInvalid, at: 6)),
        Row("1;a\0\r\nx", .fault(.chunkExtensionInvalid, at: 3)),
        Row("1;a=\"\0\"\r\nx", .fault(.chunkExtensionInvalid, at: 5)),
        Row("1;a=\"\r\nx\"", .fault(.chunkExtensionInvalid, at: 5)),
        Row("1;a=\"\\\r\nx\"", .fault(.chunkExtensionInvalid, at: 6)),
        Row("1;a=\"\nx\"", .fault(.chunkLineEndInvalid, at: 5)),
        Row("1;\nx", .fault(.chunkLineEndInvalid, at: 2)),
        Row("1;a\nb\r\n", .fault(.chunkLineEndInvalid, at: 3)),
        Row("1;a\rb\r\n", .fault(.chunkLineEndInvalid, at: 4)),
        Row("1;a=b\r\r\n", .fault(.chunkLineEndInvalid, at: 6)),
    ]

    static let trailerRows = [
        Row("0\r\nX: a\r\n\r\n", .complete("", trailers: ["X=a"])),
        Row(
            "0\r\nX: a\r\nContent-Digest:  b \r\n\r\nGET",
            .complete("", rest: 3, trailers: ["X=a", "Content-Digest=b"])
        ),
        Row(
            "0\r\ncontent-length: 5\r\nHost: x\r\nAuthorization: y\r\nX: z\r\n\r\n",
            .complete("", trailers: ["X=z"], dropped: 3)
        ),
        Row("0\r\nX: a\r\n", .incomplete("")),
        Row("0\r\nX: a\r\n\r", .incomplete("")),
        Row("0\r\n X: a\r\n\r\n", .fault(.leadingWhitespace, at: 3)),
        Row("0\r\nX: a\r\n b\r\n\r\n", .fault(.fieldFolded, at: 9)),
        Row("0\r\nX : a\r\n\r\n", .fault(.spaceBeforeColon, at: 4)),
        Row("0\r\n: a\r\n\r\n", .fault(.fieldNameEmpty, at: 3)),
        Row("0\r\nX\r\n\r\n", .fault(.fieldNoColon, at: 4)),
        Row("0\r\nX: a\n\r\n", .fault(.bareLF, at: 7)),
        Row("0\r\nX: a\rb\r\n", .fault(.bareCR, at: 7)),
        Row("0\r\nX: \0\r\n", .fault(.nul, at: 6)),
        Row("0\r\nX: a\r\n\n", .fault(.bareLF, at: 9)),
        Row("0\r\nX: a\r\n\rX", .fault(.bareCR, at: 9)),
    ]

    /// Rows for ten bytes of extensions, ten bytes of trailers and two trailer fields.
    static let limitRows = [
        Row("1;a=b\r\nx\r\n1;a=bcd\r\nx\r\n0\r\n\r\n", .complete("xx")),
        Row(
            "1;a=b\r\nx\r\n1;a=bcd\r\nx\r\n0;a\r\n\r\n",
            .fault(.chunkExtensionTooLong, at: 23, after: "xx")
        ),
        Row("1;a=bcdefghi\r\nx", .fault(.chunkExtensionTooLong, at: 11)),
        Row("1           \r\n", .fault(.chunkExtensionTooLong, at: 11, after: "")),
        Row("0\r\nX: abc\r\n\r\n", .complete("", trailers: ["X=abc"])),
        Row("0\r\nX: abcd\r\n\r\n", .fault(.trailerTooLarge, at: 13)),
        Row("0\r\nX: abcdefgh\r\n\r\n", .fault(.trailerTooLarge, at: 13)),
        Row("0\r\nX:\r\nY:\r\nZ:\r\n", .fault(.tooManyFields, at: 11)),
    ]

    static let smallLimits = BodyLimits(
        chunkExtensionBytes: 10,
        trailerBytes: 10,
        trailerFields: 2
    )

    @Test(arguments: chunkRows + extensionRows + trailerRows)
    func everyCutGivesTheSameOutcome(_ row: Row) {
        for cut in cuts(of: row.input) {
            #expect(BodyOutcome(decoding: cut) == row.expected, "cut: \(cut.map(\.count))")
        }
    }

    @Test(arguments: limitRows)
    func limitsAreExact(_ row: Row) {
        for cut in cuts(of: row.input) {
            let outcome = BodyOutcome(decoding: cut, limits: Self.smallLimits)
            #expect(outcome == row.expected, "cut: \(cut.map(\.count))")
        }
    }

    @Test(arguments: [
        (BodyFraming.none, BodyOutcome.complete("", rest: 5)),
        (.length(0), .complete("", rest: 5)),
        (.length(-1), .complete("", rest: 5)),
        (.length(3), .complete("abc", rest: 2)),
        (.length(5), .complete("abcde", rest: 0)),
        (.length(6), .incomplete("abcde")),
        (.length(.max), .incomplete("abcde")),
        (.untilClose, .incomplete("abcde")),
    ])
    func bodiesWithoutCoding(_ framing: BodyFraming, _ expected: BodyOutcome) {
        for cut in cuts(of: Array("abcde".utf8)) {
            #expect(BodyOutcome(decoding: cut, framing: framing) == expected)
        }
    }

    @Test(arguments: [
        (BodyFraming.none, "", true),
        (.length(0), "", true),
        (.length(2), "ab", true),
        (.length(2), "a", false),
        (.untilClose, "", true),
        (.untilClose, "abc", true),
        (.chunked, "0\r\n\r\n", true),
        (.chunked, "", false),
        (.chunked, "1", false),
        (.chunked, "1;a", false),
        (.chunked, "1\r", false),
        (.chunked, "2\r\na", false),
        (.chunked, "1\r\na", false),
        (.chunked, "1\r\na\r", false),
        (.chunked, "1\r\na\r\n", false),
        (.chunked, "0\r\n", false),
        (.chunked, "0\r\nA: b\r\n", false),
        (.chunked, "0\r\n\r", false),
    ])
    func onlyAWholeBodyMayFinish(_ framing: BodyFraming, _ input: String, _ isWhole: Bool) throws {
        var decoder = BodyDecoder(framing)
        var rest = Array(input.utf8)[...]
        while !rest.isEmpty {
            let run = try decoder.next(in: rest.span)
            rest = rest.dropFirst(run.framing + run.content)
        }
        var fault: HTTPFault?
        do throws(HTTPFault) { try decoder.finish() } catch { fault = error }
        #expect(fault == (isWhole ? nil : HTTPFault(.bodyTruncated, at: input.utf8.count)))
        #expect(decoder.isComplete == isWhole)
    }

    /// However much has been decoded, no more is said to be missing than comes.
    @Test(arguments: [
        (BodyFraming.none, ""), (.length(5), "hello"), (.untilClose, "all"),
        (.chunked, "5;a=b\r\nhello\r\n1\r\nx\r\n0\r\nA: b\r\n\r\n"),
    ])
    func whatIsLeftIsNeverOverstated(_ framing: BodyFraming, _ input: String) throws {
        let bytes = Array(input.utf8)
        for end in 0...bytes.count {
            var decoder = BodyDecoder(framing)
            var rest = bytes[..<end]
            while !rest.isEmpty {
                let run = try decoder.next(in: rest.span)
                rest = rest.dropFirst(run.framing + run.content)
            }
            #expect(decoder.fewestBytesLeft <= bytes.count - end)
            // And something is missing wherever the body may not end.
            let mayEnd = (try? decoder.finish()) != nil
            #expect((decoder.fewestBytesLeft == 0) == mayEnd)
        }
        var decoder = BodyDecoder(.length(1000))
        _ = try decoder.next(in: bytes[...])
        #expect(decoder.fewestBytesLeft == 1000 - bytes.count)
    }

    @Test func framingAndContentAreCounted() throws {
        var decoder = BodyDecoder(.chunked)
        let input = Array("3\r\nabc\r\n0\r\n\r\nrest".utf8)
        let first = try decoder.next(in: input[...])
        #expect(first == BodyDecoder.Run(framing: 3, content: 3))
        #expect(decoder.trailers == nil)
        let second = try decoder.next(in: input[6...])
        #expect(second == BodyDecoder.Run(framing: 7, content: 0))
        #expect(decoder.isComplete)
        #expect(decoder.trailers == nil)
        #expect(decoder.offset == 13)
        #expect(decoder.contentCount == 3)
        let third = try decoder.next(in: input[13...])
        #expect(third == BodyDecoder.Run(framing: 0, content: 0))
    }
}
