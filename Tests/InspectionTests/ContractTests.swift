import TestSupport
import Testing

@testable import Inspection

/// The pieces of a contract; whole forms are rows of `UploadRow`.
@Suite struct ContractTests {
    @Test(arguments: [
        ("*", "", true), ("*", "a", true), ("a", "a", true), ("a", "A", false), ("?", "", false),
        ("?", "\u{1F600}", true), ("*.png", "a.png", true), ("*.png", "a.png.exe", false),
        ("a*b*c", "axbxbxc", true), ("a*b*c", "axbxb", false), ("**", "", true),
        ("*a?", "aab", true), ("*a?", "baa", true), ("*aab", "aaab", true), ("a*", "b", false),
    ])
    func patternsMatchWholeNames(pattern: String, name: String, matches: Bool) throws {
        #expect(try #require(FilenamePattern(pattern)).matches(name) == matches)
    }

    /// What a pattern means, without a thought to cost.
    private func naive(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        if first == "*" {
            return naive(pattern.dropFirst(), name)
                || !name.isEmpty && naive(pattern, name.dropFirst())
        }
        guard let letter = name.first, first == "?" || first == letter else { return false }
        return naive(pattern.dropFirst(), name.dropFirst())
    }

    @Test func randomPatternsMeanWhatTheNaiveReaderSays() throws {
        let seed: UInt64 = 0x60B
        var random = SplitMix64(seed: seed)
        var matched = 0
        for round in 0..<3000 {
            let pattern = (0...Int.random(in: 0...6, using: &random)).map { _ in
                "ab?**".randomElement(using: &random) ?? "a"
            }
            let name = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                "ab".randomElement(using: &random) ?? "a"
            }
            let expected = naive(pattern[...], name[...])
            matched += expected ? 1 : 0
            let found = try #require(FilenamePattern(String(pattern))).matches(String(name))
            #expect(found == expected, "seed \(seed), round \(round): \(pattern) \(name)")
        }
        #expect(matched > 300 && matched < 2700)
    }

    @Test func patternsAreBounded() {
        #expect(FilenamePattern("") == nil)
        #expect(FilenamePattern(String(repeating: "*", count: 256)) != nil)
        #expect(FilenamePattern(String(repeating: "*", count: 257)) == nil)
    }

    @Test(arguments: [
        ("a-c", "abc"), ("a-c-", "abc-"), ("-ac", "-ac"), ("a-", "a-"), ("a-cx-z.", "abcxyz."),
        ("-", "-"), ("a", "a"), ("+--", "+,-"),
    ])
    func classesHoldTheirCharacters(text: String, members: String) throws {
        let characters = try #require(CharacterClass(text))
        let wanted = Set(members.unicodeScalars)
        for value in UInt32(0)...0xFF {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(characters.contains(scalar) == wanted.contains(scalar), "\(scalar)")
        }
    }

    @Test func classesWithoutSenseAreNone() {
        #expect(CharacterClass("") == nil)
        #expect(CharacterClass("z-a") == nil)
    }

    @Test(arguments: [
        ("image/png", true), ("IMAGE/PNG", true), (" image/png ; a=b", true), ("image/gif", true),
        ("image/", false), ("image", false), ("image/png, text/html", false),
        ("image/png/x", false), ("ima ge/png", false), ("text/plain", true), ("text/html", false),
        ("", false), ("imagex/png", false), ("image/*", true),
    ])
    func declaredTypesAreReadStrictly(value: String, isAccepted: Bool) {
        let set = ["image/*", "text/plain"]
        #expect(MediaTypeSet.accepts(set, declared: value) == isAccepted)
        #expect(MediaTypeSet.accepts([], declared: value))
    }

    @Test(arguments: [
        ("a.png", true), ("a.PnG", true), ("a.b.png", true), ("a.tar.gz", true), ("a.gz", false),
        (".png", false), ("png", false), ("a.png ", false), ("a.png.", false), ("a.pngx", false),
        ("dir/.png", false), ("dir\\.png", false), ("d.png/x", false), ("d/a.png", true),
        ("", false),
        ("/", false), ("a.png\0", false),
    ])
    func extensionsEndTheName(filename: String, isAccepted: Bool) {
        var rule = FieldRule("f", .file)
        rule.extensions = ["png", "tar.gz"]
        let objections = rule.objections(filenames: [filename], contentType: nil)
        #expect(objections == (isAccepted ? [] : [.contractExtensionDenied]))
        // Both forms of a filename have to keep the rule.
        let both = rule.objections(filenames: [filename, "a.png"], contentType: nil)
        #expect(both == objections)
        #expect(rule.objections(filenames: ["a.png", filename], contentType: nil) == objections)
    }

    // MARK: In forms

    private static let named = "Content-Disposition: form-data; name="

    private static func policy(_ change: (inout UploadContract) -> Void) -> InspectionPolicy {
        .with { policy in
            var contract = UploadContract()
            change(&contract)
            policy.contract = contract
            policy.limits.holdBytes = 0
        }
    }

    @Test func onlyTheTypeOfWhatIsKnownIsHeldAgainstAFile() {
        let policy = Self.policy {
            var rule = FieldRule("f", .file)
            rule.sniffedTypes = ["image/png"]
            $0.fields = [rule]
        }
        // It might still have become a PNG: the upload was aborted, and that is all.
        var inspector = UploadInspector(["multipart/form-data; boundary=b"], policy: policy)
        let bytes = Array("--b\r\n\(UploadRow.file("f", "a"))\u{1}PN".utf8)
        inspector.consume(bytes[...])
        inspector.abort()
        #expect(inspector.firstBlock == nil)
        #expect(inspector.releasedOffset == 5)
    }

    /// A rule about the beginning of a file holds also where nobody asked to sniff.
    @Test func aRuleAboutTypesLooksAtTheFile() {
        var policy = Self.policy {
            var rule = FieldRule("f", .file)
            rule.sniffedTypes = ["image/png"]
            $0.fields = [rule]
        }
        policy.sniffs = false
        let upload = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: "--b\r\n\(UploadRow.file("f", "a"))MZ\r\n--b--",
            policy: policy
        )
        #expect(upload.inspect().refusal?.code == "contract.type_denied")
        policy.contract = nil
        policy.deniedTypes = ["application/vnd.microsoft.portable-executable"]
        #expect(
            Upload(contentType: upload.contentType, body: upload.body, policy: policy)
                .inspect().refusal?.code == "type.denied"
        )
    }

    /// Of a large file of the wrong type nothing leaves, in whatever pieces it comes.
    @Test(arguments: [1, 511, 512, 513, 4000])
    func nothingOfAFileOfAnotherTypeLeaves(width: Int) {
        let policy = Self.policy {
            var rule = FieldRule("f", .file)
            rule.sniffedTypes = ["image/*"]
            $0.fields = [rule]
        }
        let content = "MZ" + String(repeating: "x", count: 3000)
        let body = "--b\r\n\(UploadRow.file("f", "a"))\(content)\r\n--b--"
        let inspector = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: body,
            policy: policy
        ).inspect(pieces: width)
        #expect(inspector.refusal?.code == "contract.type_denied")
        #expect(inspector.releasedOffset <= 5)
    }

    @Test func allThatIsMissingIsNamed() {
        let policy = Self.policy { contract in
            contract.fields = (0..<10).map { index in
                var rule = FieldRule("f\(index)", .field)
                rule.isRequired = true
                return rule
            }
        }
        let upload = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: "--b\r\n\(UploadRow.field("f3"))x\r\n--b--",
            policy: policy
        )
        let finding = upload.inspect().refusal
        #expect(finding?.code == "contract.missing_field")
        #expect(finding?.part == nil)
        #expect(finding?.detail.hasSuffix("Missing: f0, f1, f2, f4, f5, f6, f7, f8, ….") == true)
    }

    @Test func partsWithinPartsAreNobodysFields() {
        var policy = Self.policy {
            $0.fields = [FieldRule("a", .field)]
            $0.allowsUnknownFields = true
        }
        policy.nestedDepth = 1
        let inner = "--i\r\n\(UploadRow.field("a"))x\r\n--i--"
        let head = "\(Self.named)a\r\nContent-Type: multipart/mixed; boundary=i\r\n\r\n"
        let upload = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: "--b\r\n\(head)\(inner)\r\n--b--",
            policy: policy
        )
        #expect(upload.inspect().refusal?.code == "contract.unexpected_field")
        var without = upload
        without.policy.contract = nil
        #expect(without.inspect().refusal == nil)
    }

    /// What the operator lets pass, passes; and the rest of the contract holds.
    @Test func theOperatorSaysHowMuchARuleMatters() throws {
        var policy = Self.policy {
            var rule = FieldRule("a", .field)
            rule.maximumBytes = 1
            $0.fields = [rule]
        }
        try policy.findings.set(.notice, of: "contract.unexpected_field")
        var upload = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: "--b\r\n\(UploadRow.field("z"))x\r\n--b\r\n\(UploadRow.field("a"))x\r\n--b--",
            policy: policy
        )
        #expect(upload.inspect().refusal == nil)
        #expect(upload.found == ["contract.unexpected_field=notice"])
        upload.body = "--b\r\n\(UploadRow.field("z"))x\r\n--b\r\n\(UploadRow.field("a"))xy\r\n--b--"
        #expect(upload.inspect().refusal?.code == "contract.too_large")
    }

    @Test func observingChangesNothing() {
        var policy = Self.policy { $0.fields = [FieldRule("a", .field)] }
        policy.mode = .observe
        let upload = Upload(
            contentType: "multipart/form-data; boundary=b",
            body: "--b\r\n\(UploadRow.field("z"))x\r\n--b\r\n\(UploadRow.file("a", "f"))x\r\n--b--",
            policy: policy
        )
        let inspector = upload.inspect()
        #expect(inspector.firstBlock?.code == "contract.unexpected_field")
        #expect(
            inspector.findings.map(\.code) == ["contract.unexpected_field", "contract.wrong_kind"]
        )
        #expect(inspector.refusal == nil && inspector.releasedOffset == inspector.receivedOffset)
    }
}
