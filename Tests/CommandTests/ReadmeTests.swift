import Inspection
import Testing
import weir

/// README's table of settings says what the code does.
@Suite struct ReadmeTests {
    private func readme() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        return try InputFile.text(ofPath: "/\(root)/README.md")
    }

    @Test(arguments: SettingsCatalogue.all.map(\.key))
    func tellsTheSettingAsItIs(_ key: String) throws {
        let setting = try #require(SettingsCatalogue.setting(forKey: key))
        let value = setting.isSwitch ? "switch" : setting.placeholder
        let row =
            "| `\(key)` | \(value.split(separator: "|").joined(separator: " or "))"
            + " | \(setting.defaultText) | \(setting.summary) |"
        #expect(try readme().split(separator: "\n").contains(Substring(row)))
    }

    @Test func tellsHowParsersDifferAsItIs() throws {
        let rows = SeverityOverrides.knownCodes.compactMap { code in
            ParserFamilies.clause(for: code).map { "| `\(code)` | \($0) |" }
        }
        #expect(rows.count > 40)
        #expect(try readme().contains(rows.joined(separator: "\n") + "\n\n"))
    }

    @Test func tellsNoSettingThatDoesNotExist() throws {
        let rows = try readme().split(separator: "\n").filter { $0.hasPrefix("| `") }
        let settings = rows.filter { $0.split(separator: "|").count == 4 }
        #expect(settings.count == SettingsCatalogue.all.count)
    }
}
