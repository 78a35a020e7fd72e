import Inspection
import Proxy
import Testing
import weir

/// Contracts as configuration files have them.
@Suite struct ContractReaderTests {
    private static func contract(_ json: String) throws -> UploadContract? {
        try read(file: "{contract: \(json)}").get().proxy.policy.contract
    }

    @Test func everyKeyIsRead() throws {
        let contract = try #require(
            try Self.contract(
                """
                {unknownFields: "allow", fields: {
                  f: {kind: "file", required: true, maxCount: "unlimited", minBytes: 1,
                      maxBytes: "2KiB", contentTypes: ["IMAGE/*"], sniffedTypes: ["image/png"],
                      extensions: ["PNG"],
                      filename: {maxBytes: 9, characters: "a-z.", pattern: "*.png"}},
                  t: {kind: "field", required: false, maxBytes: "unlimited"}}}
                """
            )
        )
        var file = FieldRule("f", .file)
        file.isRequired = true
        file.maximumCount = nil
        file.minimumBytes = 1
        file.maximumBytes = 2048
        file.contentTypes = ["image/*"]
        file.sniffedTypes = ["image/png"]
        file.extensions = ["png"]
        file.filename.maximumBytes = 9
        file.filename.characters = CharacterClass("a-z.")
        file.filename.pattern = FilenamePattern("*.png")
        #expect(contract.allowsUnknownFields)
        #expect(contract.fields == [file, FieldRule("t", .field)])
        // What `weir check` prints means the same.
        #expect(try Self.contract(JSONText.line(contract.json)) == contract)
    }

    @Test func nothingIsAgreedByDefault() throws {
        #expect(try Self.contract("null") == nil)
        #expect(CommandSettings().proxy.policy.contract == nil)
        let empty = try #require(try Self.contract("{}"))
        #expect(!empty.allowsUnknownFields && empty.fields.isEmpty)
    }

    @Test func aRouteHasItsOwn() throws {
        let settings = try read(
            file: """
                {contract: {fields: {a: {kind: "field"}}},
                 routes: [{path: "/a", contract: {fields: {b: {kind: "file"}}}},
                          {path: "/b", contract: null}, {path: "/c"}]}
                """
        ).get()
        let contracts = settings.routes.map { $0.settings(over: settings).proxy.policy.contract }
        #expect(contracts.map { $0?.fields.map(\.name) } == [["b"], nil, ["a"]])
    }

    @Test(arguments: [
        ("3", ", expected a contract, {fields: {NAME: {kind: \"file\"}, …}}"),
        ("{field: {}}", ". unknown key field; did you mean fields?"),
        ("{unknownFields: true}", ". unknownFields: found true, expected \"allow\" or \"deny\""),
        ("{fields: []}", ". fields: found [], expected rules by name, at most 1000"),
        ("{fields: {a: 1}}", ". fields.a: found 1, expected a rule, {kind: \"field\", …}"),
        ("{fields: {a: {}}}", ". fields.a has no kind: \"field\" or \"file\""),
        (
            "{fields: {a: {kind: 'fiel'}}}",
            ". fields.a.kind: found \"fiel\", expected \"field\" or \"file\""
        ),
        (
            "{fields: {a: {kind: 'file', maxByte: 3}}}",
            ". fields.a: unknown key maxByte; did you mean maxBytes?"
        ),
        (
            "{fields: {a: {kind: 'field', extensions: ['x']}}}",
            ". fields.a.extensions is for files, and the kind is \"field\""
        ),
        (
            "{fields: {a: {kind: 'field', required: 1}}}",
            ". fields.a.required: found 1, expected true or false"
        ),
        (
            "{fields: {a: {kind: 'field', maxCount: 0}}}",
            ". fields.a.maxCount: found 0, expected a whole number from 1 to 100000, or \"unlimited\""
        ),
        (
            "{fields: {a: {kind: 'field', maxBytes: -1}}}",
            ". fields.a.maxBytes: found -1, expected a size, in bytes or with a unit as in \"64KiB\""
        ),
        (
            "{fields: {a: {kind: 'field', minBytes: 3, maxBytes: 2}}}",
            ". fields.a: minBytes is more than maxBytes"
        ),
        (
            "{fields: {a: {kind: 'file', contentTypes: ['image']}}}",
            ". fields.a.contentTypes: found [\"image\"], expected media types, or families, as in"
                + " [\"application/pdf\", \"image/*\"]"
        ),
        (
            "{fields: {a: {kind: 'file', sniffedTypes: []}}}",
            ". fields.a.sniffedTypes: found [], expected media types, or families, as in"
                + " [\"application/pdf\", \"image/*\"]"
        ),
        (
            "{fields: {a: {kind: 'file', extensions: ['.png']}}}",
            ". fields.a.extensions: found [\".png\"], expected extensions without a dot before them,"
                + " as in [\"jpg\", \"tar.gz\"]"
        ),
        (
            "{fields: {a: {kind: 'file', filename: 'x'}}}",
            ". fields.a.filename: found \"x\", expected a rule,"
                + " {maxBytes: 100, characters: \"a-z0-9._-\"}"
        ),
        (
            "{fields: {a: {kind: 'file', filename: {patern: 'x'}}}}",
            ". fields.a.filename: unknown key patern; did you mean pattern?"
        ),
        (
            "{fields: {a: {kind: 'file', filename: {characters: 'z-a'}}}}",
            ". fields.a.filename.characters: found \"z-a\", expected characters, as in \"a-zA-Z0-9._-\""
        ),
        (
            "{fields: {a: {kind: 'file', filename: {pattern: ''}}}}",
            ". fields.a.filename.pattern: found \"\", expected a pattern of at most 256 characters"
        ),
    ])
    func aMistakeIsNamed(json: String, end: String) {
        let found = problems(file: "{contract: \(json)}")
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix("contract (weir.json5, line 1): found ") == true)
        #expect(found.first?.hasSuffix(end) == true, "\(found)")
    }

    @Test func aSecondRuleForANameIsRefused() {
        let found = problems(
            file: "{contract: {fields: {a: {kind: 'field'},\n a: {kind: 'file'}}}}"
        )
        #expect(found.first == "weir.json5, line 2: contract.fields.a is set a second time")
    }

    @Test func thereIsNeitherAnOptionNorAVariable() {
        #expect(problems(options: ["--contract={}"]).count == 1)
        #expect(problems(environment: ["WEIR_CONTRACT": "{}"]).count == 1)
    }
}
