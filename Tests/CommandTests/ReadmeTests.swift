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

    /// The groups of `deniedTypes`, and every type by its family but the kinds of Office files.
    @Test func tellsWhatFilesAreKnownToBeginLike() throws {
        let groups = FileTypes.groups.map { group in
            let types = group.types.map { "`\($0)`" }.joined(separator: ", ")
            return "| `\(group.name)` | \(types) |"
        }
        #expect(try readme().contains(groups.joined(separator: "\n") + "\n\n"))
        let types = FileTypes.all.filter { !$0.contains("document.") }
        let families = Dictionary(grouping: types) { $0.split(separator: "/")[0] }
        let rows = families.keys.sorted().map { family in
            let names = families[family, default: []].map { $0.dropFirst(family.count + 1) }
            return "| `\(family)/` | \(names.joined(separator: ", ")) |"
        }
        #expect(try readme().contains(rows.joined(separator: "\n") + "\n\n"))
    }
}
