import Testing
import weir

@Suite struct TextTests {
    static let escapes = [
        ("plain ☕ text", "plain ☕ text"),
        ("a\u{1b}[31mb", #"a\u{1b}[31mb"#),
        ("a\r\n\tb\\", #"a\r\n\tb\\"#),
        ("x\u{202E}gpj.exe", #"x\u{202e}gpj.exe"#),
        ("\u{0}\u{7F}\u{9B}\u{2028}\u{FEFF}", #"\u{0}\u{7f}\u{9b}\u{2028}\u{feff}"#),
        ("\u{FFFD}", "\u{FFFD}"),
    ]

    @Test(arguments: escapes)
    func terminalTextIsEscaped(_ text: String, _ expected: String) {
        #expect(TerminalText.escaped(text) == expected)
    }

    @Test func longTextIsCut() {
        #expect(TerminalText.escaped("abcdef", limit: 6) == "abcdef")
        #expect(TerminalText.escaped("abcdefg", limit: 6) == "abcde…")
        #expect(TerminalText.escaped("\u{1b}\u{1b}", limit: 8).count == 8)
        #expect(TerminalText.escaped("abc", limit: 0) == "…")
    }

    @Test func onlyPrintableASCIIIsSafeBelow128() {
        for byte in UInt8(0)..<128 {
            #expect(TerminalText.isSafe(Unicode.Scalar(byte)) == (0x20...0x7E).contains(byte))
        }
    }

    @Test func jsonIsWrittenOnALineOrIndented() {
        let value = JSONValue.object([
            JSONMember("a\"\\", .array([.integer(1), .null, .boolean(true), .number(0.5)])),
            JSONMember("b", .object([])),
            JSONMember(
                "c",
                .object([JSONMember("d", .string("x\u{1b}\n\u{202E}\u{1F600}\u{E0001}"))])
            ),
        ])
        #expect(
            JSONText.line(value)
                == #"{"a\"\\": [1, null, true, 0.5], "b": {}, "#
                + #""c": {"d": "x\u001b\n\u202e😀\udb40\udc01"}}"#
        )
        #expect(JSONText.indented(.object([JSONMember("a", .null)])) == "{\n  \"a\": null\n}")
        #expect(JSONText.line(.number(.infinity)) == "null")
    }
}
