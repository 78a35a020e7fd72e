import Inspection
import Proxy
import Testing
import weir

@Suite struct ExampleConfigurationTests {
    private func example(_ name: String = "weir.json5") throws -> ConfigurationFile {
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let path = "/\(root)/Config/\(name)"
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

    @Test func theContractIsOne() throws {
        let settings = try SettingsReader.read(SettingsSources(file: example("contract.json5")))
        let route = try #require(settings.routes.first)
        let contract = try #require(route.settings(over: settings).proxy.policy.contract)
        #expect(!contract.allowsUnknownFields)
        #expect(contract.fields.map(\.name) == ["answers", "email", "photos", "resume"])
        let resume = try #require(contract.fields.last)
        #expect(resume.kind == .file && resume.isRequired && resume.maximumCount == 1)
        #expect(resume.minimumBytes == 1 && resume.maximumBytes == 5 << 20)
        #expect(resume.filename.maximumBytes == 100 && resume.filename.pattern?.text == "*.pdf")
        #expect(contract.fields[2].maximumCount == 5)
        #expect(contract.fields[2].sniffedTypes == ["image/jpeg", "image/png"])
    }
}
