internal import Inspection

/// Reads a contract: `{unknownFields: "deny", fields: {NAME: {kind: "file", …}, …}}`.
///
/// Strict, because a key that is not understood is a rule that does not hold. Every problem says
/// where in the contract it is, and what was probably meant.
struct ContractReader {
    /// Room for any real form; a part is looked up in them one by one.
    private static let maximumFields = 1000

    static func read(_ input: SettingInput) throws(SettingExpectation) -> UploadContract? {
        if input == .json(.null) { return nil }
        guard case .json(let value) = input, case .object(let members) = value else {
            throw SettingExpectation("a contract, {fields: {NAME: {kind: \"file\"}, …}}")
        }
        var contract = UploadContract()
        for member in members {
            switch member.name {
            case "unknownFields":
                let place = RulePlace("unknownFields")
                contract.allowsUnknownFields =
                    try place.word(member.value, among: ["allow", "deny"]) == "allow"
            case "fields":
                contract.fields = try fields(member.value)
            default:
                throw RulePlace("").unknown(member.name, among: ["unknownFields", "fields"])
            }
        }
        return contract
    }

    private static func fields(_ value: JSONValue) throws(SettingExpectation) -> [FieldRule] {
        let place = RulePlace("fields")
        guard case .object(let members) = value, members.count <= maximumFields else {
            throw place.refusal(value, "rules by name, at most \(maximumFields)")
        }
        var rules: [FieldRule] = []
        for member in members {
            try rules.append(rule(member.value, of: member.name, at: place + member.name))
        }
        return rules
    }

    private static func rule(
        _ value: JSONValue,
        of name: String,
        at place: RulePlace
    ) throws(SettingExpectation) -> FieldRule {
        guard case .object(let members) = value else {
            throw place.refusal(value, "a rule, {kind: \"field\", …}")
        }
        guard let kind = members.first(where: { $0.name == "kind" }) else {
            throw SettingExpectation(because: "\(place) has no kind: \"field\" or \"file\"")
        }
        let word = try (place + "kind").word(kind.value, among: ["field", "file"])
        var rule = FieldRule(name, word == "file" ? .file : .field)
        for member in members where member.name != "kind" {
            try set(member, in: &rule, at: place)
        }
        if let most = rule.maximumBytes, most < rule.minimumBytes {
            throw SettingExpectation(because: "\(place): minBytes is more than maxBytes")
        }
        return rule
    }

    private static let common = [
        "kind", "required", "maxCount", "minBytes", "maxBytes", "contentTypes",
    ]
    private static let ofFiles = ["sniffedTypes", "extensions", "filename"]

    private static func set(
        _ member: JSONMember,
        in rule: inout FieldRule,
        at place: RulePlace
    ) throws(SettingExpectation) {
        let (value, inner) = (member.value, place + member.name)
        if rule.kind == .field, ofFiles.contains(member.name) {
            throw SettingExpectation(because: "\(inner) is for files, and the kind is \"field\"")
        }
        switch member.name {
        case "required": rule.isRequired = try inner.boolean(value)
        case "maxCount": rule.maximumCount = try inner.count(value)
        case "minBytes": rule.minimumBytes = try inner.size(value) ?? 0
        case "maxBytes": rule.maximumBytes = try inner.size(value)
        case "contentTypes": rule.contentTypes = try inner.mediaTypes(value)
        case "sniffedTypes": rule.sniffedTypes = try inner.sniffedTypes(value)
        case "extensions": rule.extensions = try inner.extensions(value)
        case "filename": rule.filename = try filename(value, at: inner)
        default: throw place.unknown(member.name, among: common + ofFiles)
        }
    }

    private static func filename(
        _ value: JSONValue,
        at place: RulePlace
    ) throws(SettingExpectation) -> FilenameRule {
        guard case .object(let members) = value else {
            throw place.refusal(value, "a rule, {maxBytes: 100, characters: \"a-z0-9._-\"}")
        }
        var rule = FilenameRule()
        for member in members {
            let inner = place + member.name
            switch member.name {
            case "maxBytes":
                rule.maximumBytes = try inner.size(member.value)
            case "characters":
                let text = try inner.text(member.value, "characters, as in \"a-zA-Z0-9._-\"")
                guard let characters = CharacterClass(text) else {
                    throw inner.refusal(member.value, "characters, as in \"a-zA-Z0-9._-\"")
                }
                rule.characters = characters
            case "pattern":
                let text = try inner.text(member.value, "a pattern, as in \"*.pdf\"")
                guard let pattern = FilenamePattern(text) else {
                    let most = FilenamePattern.maximumCount
                    throw inner.refusal(member.value, "a pattern of at most \(most) characters")
                }
                rule.pattern = pattern
            default:
                throw place.unknown(member.name, among: ["maxBytes", "characters", "pattern"])
            }
        }
        return rule
    }
}
