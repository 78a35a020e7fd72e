import Testing
import weir

@Suite struct ExampleConfigurationTests {
    private func example() throws -> ConfigurationFile {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/Config/weir.json5"
        return try ConfigurationFile(text: InputFile.text(ofPath: path), name: path)
    }

    @Test func hasEveryKey() throws {
        let keys = try example().entries.map(\.key)
        #expect(Set(keys) == Set(SettingsCatalogue.all.map(\.key)))
    }

    @Test func meansTheDefaults() throws {
        let settings = try SettingsReader.read(SettingsSources(file: example()))
        #expect(settings == CommandSettings())
    }
}
