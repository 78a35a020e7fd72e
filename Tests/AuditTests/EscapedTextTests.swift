import Audit
import TestSupport
import Testing

@Suite struct EscapedTextTests {
    static let nasty = [
        "", "plain", "say \"hi\"", #"C:\temp\x"#, "two\nlines\r\n", "tab\there", "nul\0byte",
        "\u{1B}[31mred\u{1B}[0m", "\u{9B}31m", "\u{202E}gpj.exe", "\u{2066}x\u{2069}", "a\u{2028}b",
        "\u{2029}", "\u{61C}", "\u{200F}", "\u{7F}", "naïve ☃ 𝄞 日本", "\u{FFFD}", "e\u{301}", "\"",
        "\\", "\\u0041", "\\u{41}", "] }, { [", "ends with \\",
    ]

    private static let styles: [EscapeStyle] = [.json, .quoted, .bare]

    @Test(arguments: styles, nasty)
    func nothingActsOnATerminal(style: EscapeStyle, text: String) {
        let escaped = escape(text, as: style)
        for scalar in escaped.unicodeScalars {
            #expect(isHarmless(scalar), "U+\(String(scalar.value, radix: 16)) in \(escaped)")
            if style == .bare { #expect(scalar != " ") }
        }
    }

    @Test(arguments: nasty)
    func escapingLosesNothing(_ text: String) throws {
        #expect(try JSONValue(parsing: escape(text, as: .json).utf8) == .string(text))
        #expect(unescape(inside(escape(text, as: .quoted))) == text)
        #expect(unescape(escape(text, as: .bare).unicodeScalars[...]) == text)
    }

    /// Each of the first 256 characters, alone and among others.
    @Test(arguments: UInt8.min...UInt8.max)
    func everyByteIsEscapedRight(_ byte: UInt8) throws {
        let scalar = Character(Unicode.Scalar(byte))
        for text in ["\(scalar)", "ab\(scalar)cd", "\(scalar)\(scalar)"] {
            #expect(try JSONValue(parsing: escape(text, as: .json).utf8) == .string(text))
            #expect(unescape(escape(text, as: .bare).unicodeScalars[...]) == text)
        }
        let isControl = byte < 0x20 || (0x7F...0x9F).contains(byte)
        let mustEscape = isControl || byte == 0x22 || byte == 0x5C
        let raw = "x\(scalar)"
        #expect((escape(raw, as: .json) != "\"\(raw)\"") == mustEscape)
        #expect((escape(raw, as: .quoted) != "\"\(raw)\"") == mustEscape)
        #expect((escape(raw, as: .bare) != raw) == (mustEscape || byte == 0x20))
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func escapingLosesNothingOfRandomText(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let text = randomText(using: &random)
            #expect(try JSONValue(parsing: escape(text, as: .json).utf8) == .string(text))
            #expect(unescape(inside(escape(text, as: .quoted))) == text)
        }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func longTextIsCutBetweenCharacters(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<500 {
            let text = randomText(using: &random)
            let limit = Int.random(in: 0...40, using: &random)
            let escaped = escape(text, limit, as: .json)
            guard case .string(let cut) = try JSONValue(parsing: escaped.utf8) else {
                Issue.record("not a string")
                return
            }
            if text.utf8.count <= limit {
                #expect(cut == text)
                continue
            }
            let scalars = cut.unicodeScalars
            #expect(scalars.last == "…")
            let kept = Array(scalars.dropLast())
            #expect(kept == Array(text.unicodeScalars.prefix(kept.count)))
            let keptBytes = kept.reduce(0) { $0 + UTF8.width($1) }
            #expect(keptBytes <= limit && keptBytes > limit - 4)
        }
    }

    @Test func aBoundIsCountedInBytesBeforeEscaping() {
        #expect(escape("abcdef", 3, as: .json) == "\"abc…\"")
        #expect(escape("abc", 3, as: .json) == "\"abc\"")
        #expect(escape("aé", 2, as: .json) == "\"a…\"")
        #expect(escape("\"\"\"", 2, as: .json) == #""\"\"…""#)
        #expect(escape("𝄞", 3, as: .bare) == "…")
        #expect(escape("a", 0, as: .bare) == "…")
        #expect(escape("a", -1, as: .bare) == "…")
    }

    @Test func numbersAreDecimal() {
        let integers = [0, 1, 9, 10, 99, 100, -1, -10, .max, .min]
        for value in integers {
            var bytes: [UInt8] = []
            bytes.append(decimal: value)
            #expect(String(decoding: bytes, as: UTF8.self) == String(value))
        }
        for value in [0, 10, .max] as [UInt64] {
            var bytes: [UInt8] = []
            bytes.append(decimal: value)
            #expect(String(decoding: bytes, as: UTF8.self) == String(value))
        }
    }

    private func escape(_ text: String, _ limit: Int = .max, as style: EscapeStyle) -> String {
        var bytes: [UInt8] = []
        bytes.append(escaping: text, atMost: limit, as: style)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// What neither moves the cursor nor changes how other characters are shown.
    private func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: false
        default: !scalar.properties.isBidiControl
        }
    }

    /// What stands between the quotation marks.
    private func inside(_ quoted: String) -> Substring.UnicodeScalarView {
        quoted.unicodeScalars.dropFirst().dropLast()
    }

    /// Undoes the escapes of the styles for terminals.
    private func unescape(_ escaped: Substring.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        var rest = escaped
        while let scalar = rest.popFirst() {
            guard scalar == "\\", let mark = rest.popFirst() else {
                result.append(scalar)
                continue
            }
            switch mark {
            case "n": result.append("\n")
            case "r": result.append("\r")
            case "t": result.append("\t")
            case "u":
                let digits = rest.prefix { $0 != "}" }.dropFirst()
                rest = rest.dropFirst(digits.count + 2)
                let value = UInt32(String(digits), radix: 16) ?? 0xFFFD
                result.append(Unicode.Scalar(value) ?? "\u{FFFD}")
            default: result.append(mark)
            }
        }
        return String(result)
    }

    private func randomText(using random: inout SplitMix64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let highest: UInt32 = [0x7F, 0xFF, 0x2100, 0x1_FFFF].randomElement(using: &random) ?? 0
            let value = UInt32.random(in: 0...highest, using: &random)
            text.append(Unicode.Scalar(value) ?? "x")
        }
        return String(text)
    }
}
