import TestSupport
import Testing
import weir

@Suite struct ConfigurationFileTests {
    static let mistakes = [
        ("{\n a: 1\n b: 2}", "weir.json5, line 3, column 2: expected a comma or }, found b: 2}"),
        ("{a: 1", "weir.json5, line 1, column 1: this { has no }"),
        ("{a: [1", "weir.json5, line 1, column 5: this [ has no ]"),
        ("", "weir.json5, line 1, column 1: expected a value, found the end of the file"),
        ("{a: tru}", "weir.json5, line 1, column 5: expected a value, found tru}"),
        ("{a 1}", "weir.json5, line 1, column 4: expected a colon, found 1}"),
        ("{a: 'x\n'}", "weir.json5, line 1, column 5: this string is not closed on its line"),
        ("{} /* x", "weir.json5, line 1, column 4: this comment is not closed"),
        ("{} x", "weir.json5, line 1, column 4: expected the end of the file"),
        ("{ä: 1, b}", "weir.json5, line 1, column 9: expected a colon, found }"),
        ("[1]", "weir.json5: found an array, expected an object { … }"),
        ("{mode: 'off',\n mode: 'off'}", "weir.json5, line 2: mode is set a second time"),
        (
            "{limits: {parts: 1}, limits: {}}",
            "weir.json5, line 1: limits is set a second time"
        ),
        (
            String(repeating: "[", count: 100_000),
            "weir.json5, line 1, column 33: this is nested too deep"
        ),
    ]

    @Test(arguments: mistakes)
    func mistakesAreToldWithTheirPlace(_ text: String, _ sentence: String) {
        #expect(problems(file: text) == [sentence])
    }

    @Test func entriesHaveTheirLines() throws {
        let text = """
            // a comment
            {
              mode: "off", /* another
              */ 'profile': "strict",
              "limits": {
                parts: 0x10, // sixteen
                files: +2,
              },
            }
            """
        let file = try ConfigurationFile(text: text, name: "x")
        #expect(file.entries.map(\.key) == ["mode", "profile", "limits.parts", "limits.files"])
        #expect(file.entries.map(\.line) == [3, 4, 6, 7])
        #expect(file.entries[2].value == .integer(16))
    }

    /// The outline only finds places; where the decoder sees no mistake, it must see none either.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func outlineAgreesWithTheDecoder(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "{", "}", "[", "]", ",", ":", "a", "\"b\"", "'c'", "1", "-2", "0x1F", ".5", "true",
            "null", " ", "\n", "// x\n", "/* y */", "Infinity", "$k", "'", "\"", "/", "\\",
        ]
        for _ in 0..<5_000 {
            let count = Int.random(in: 1...12, using: &random)
            let text = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let outline = ConfigurationOutline(of: text)
            let isAccepted = (try? ConfigurationFile(text: text, name: "x")) != nil
            if isAccepted { #expect(outline.failure == nil, "\(text.debugDescription)") }
        }
    }

    @Test func suggestionsAreNear() {
        let keys = SettingsCatalogue.all.map(\.key)
        #expect(Suggestion.nearest(to: "profil", among: keys) == "profile")
        #expect(Suggestion.nearest(to: "audit_log", among: keys) == "auditLog")
        #expect(Suggestion.nearest(to: "lsiten", among: keys) == "listen")
        #expect(Suggestion.nearest(to: "zzz", among: keys) == nil)
        #expect(Suggestion.nearest(to: "", among: keys) == nil)
        #expect(Suggestion.nearest(to: String(repeating: "x", count: 100_000), among: keys) == nil)
    }

    static let distances = [
        ("", "", 0), ("a", "", 1), ("", "ab", 2), ("ab", "ba", 1), ("kitten", "sitting", 3),
        ("listen", "listen", 0), ("abc", "acb", 1), ("ca", "abc", 3),
    ]

    @Test(arguments: distances)
    func distanceCountsEdits(_ left: String, _ right: String, _ expected: Int) {
        #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == expected)
    }
}
