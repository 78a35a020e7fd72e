import TestSupport
import Testing
import Wire

@Suite struct ParametersTests {
    /// A field value; `^` stands before each byte at which a problem is expected.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let field: [UInt8]
        let value: String
        let parameters: [String]
        let problems: [ParameterProblem.Kind]
        let offsets: [Int]

        init(
            _ marked: String,
            _ value: String,
            _ parameters: [String] = [],
            _ problems: [ParameterProblem.Kind] = []
        ) {
            testDescription = marked
            var field: [UInt8] = []
            var offsets: [Int] = []
            for byte in marked.utf8 {
                if byte == UInt8(ascii: "^") {
                    offsets.append(field.count)
                } else {
                    field.append(byte)
                }
            }
            self.field = field
            self.value = value
            self.parameters = parameters
            self.problems = problems
            self.offsets = offsets
        }
    }

    static let rows = [
        Row("", ""),
        Row("form-data", "form-data"),
        Row("  form-data\t ", "form-data"),
        Row("a/b;c=d", "a/b", ["c=d"]),
        Row("a; b=c ;\td=\"e f\"", "a", ["b=c", "d=\"e f\""]),
        Row("a; b=\"\"", "a", ["b=\"\""]),
        Row(#"a; b="C:\dir\f""#, "a", [#"b="C:\dir\f""#]),
        Row(#"a; b="\\srv\x""#, "a", [#"b="\\srv\x""#]),
        Row("a; b=\"c;d=e\"; f=g", "a", ["b=\"c;d=e\"", "f=g"]),
        Row("a^,b; c=d", "a,b", ["c=d"], [.leadingValueByte]),
        Row("a^\"b; c=d", "a\"b", ["c=d"], [.leadingValueByte]),
        Row("a ^b=c", "a", ["b=c"], [.missingSemicolon]),
        Row("a; b=c ^d=e", "a", ["b=c", "d=e"], [.missingSemicolon]),
        Row("a; b=\"c\" ^d=e", "a", ["b=\"c\"", "d=e"], [.missingSemicolon]),
        Row("a^;; b=c", "a", ["b=c"], [.emptyParameter]),
        Row("a; b=c^;", "a", ["b=c"], [.emptyParameter]),
        Row("a^; ", "a", [], [.emptyParameter]),
        Row("a; b^(c=d", "a", ["b(c=d"], [.nameByte]),
        Row("a; ^=d", "a", ["=d"], [.nameByte]),
        Row("a; b^", "a", [], [.missingEquals]),
        Row("a; b^; c=d", "a", ["c=d"], [.missingEquals]),
        Row("a; b^ ^c=d", "a", ["c=d"], [.missingEquals, .missingSemicolon]),
        Row("a; b^ =c", "a", ["b=c"], [.spaceAroundEquals]),
        Row("a; b=^ c", "a", ["b=c"], [.spaceAroundEquals]),
        Row("a; b^ = c; d=e", "a", ["b=c", "d=e"], [.spaceAroundEquals]),
        Row("a; b=^", "a", ["b="], [.emptyValue]),
        Row("a; b=^; c=d", "a", ["b=", "c=d"], [.emptyValue]),
        Row("a; b=c^:d:e", "a", ["b=c:d:e"], [.valueByte]),
        Row("a; b=c^\"", "a", ["b=c\""], [.valueByte]),
        Row("a; b=^\"c; d=e", "a", ["b=\"c; d=e\""], [.unterminatedQuote]),
        Row("a; b=^\"", "a", ["b=\"\""], [.unterminatedQuote]),
        Row(#"a; b="c^\"d""#, "a", [#"b="c\"d""#], [.escapedQuote]),
        Row(
            #"a; b=^"c^\"; d=e"#,
            "a",
            [#"b="c\"; d=e""#],
            [.unterminatedQuote, .escapedQuote]
        ),
        Row(#"a; b="c\^\""#, "a", [#"b="c\\""#], [.escapedQuote]),
        Row("a; b=\"c\"^d=\"e\"", "a", ["b=\"c\"", "d=\"e\""], [.bytesAfterQuote]),
        Row("a; b=\"c\"^^\"^", "a", ["b=\"c\""], [.bytesAfterQuote, .nameByte, .missingEquals]),
    ]

    @Test(arguments: rows)
    func everyFieldIsTakenApart(_ row: Row) {
        let parameters = Parameters(parsing: row.field.span)
        func text(_ range: Range<Int>) -> String { row.field.span.extracting(range).repairedText }
        #expect(text(parameters.value) == row.value)
        let list = parameters.list.map {
            "\(text($0.name))=" + ($0.isQuoted ? "\"\(text($0.value))\"" : text($0.value))
        }
        #expect(list == row.parameters)
        // An unterminated quote is listed where it was noticed, after what lies inside it.
        let problems = parameters.problems.sorted { $0.offset < $1.offset }
        #expect(problems.map(\.kind) == row.problems)
        #expect(problems.map(\.offset) == row.offsets)
    }

    @Test func everyKindIsReached() {
        let reached = Self.rows.flatMap(\.problems)
        for kind in ParameterProblem.Kind.allCases { #expect(reached.contains(kind), "\(kind)") }
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func everyByteIsClassified(_ byte: UInt8) {
        let parts = Array("a; n=x".utf8)
        let field = parts + [byte] + [UInt8(ascii: "y")]
        let kinds = Parameters(parsing: field.span).problems.map(\.kind)
        switch byte {
        case UInt8(ascii: ";"): #expect(kinds == [.missingEquals])
        case UInt8(ascii: " "), 9: #expect(kinds == [.missingSemicolon, .missingEquals])
        default: #expect(kinds == (ByteClass.token.contains(byte) ? [] : [.valueByte]))
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyBytesAreReadToTheEnd(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let alphabet = Array(" \t;=\"\\'ab*,\r\u{e9}".utf8)
        for _ in 0..<20_000 {
            let field = (0..<Int.random(in: 0...24, using: &random)).map { _ in
                alphabet[Int.random(in: alphabet.indices, using: &random)]
            }
            let parameters = Parameters(parsing: field.span)
            var end = parameters.value.upperBound
            for parameter in parameters.list {
                #expect(parameter.name.lowerBound >= end)
                #expect(parameter.value.lowerBound > parameter.name.upperBound)
                end = parameter.value.upperBound
            }
            #expect(end <= field.count)
            #expect(parameters.problems.allSatisfy { $0.offset >= 0 && $0.offset <= field.count })
        }
    }

    @Test func writtenParametersReadBack() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<1_000 {
            let wanted = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                (
                    name: "n\(UInt8.random(in: .min ... .max, using: &random))",
                    value: "v \(UInt64.random(in: .min ... .max, using: &random));"
                )
            }
            let field = Array(("x" + wanted.map { "; \($0.name)=\"\($0.value)\"" }.joined()).utf8)
            let parameters = Parameters(parsing: field.span)
            let read = parameters.list.map { field.span.extracting($0.value).repairedText }
            #expect(read == wanted.map(\.value))
            #expect(parameters.problems.isEmpty)
        }
    }
}
