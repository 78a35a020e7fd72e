package import Inspection

extension ValueKind where Value == UploadContract? {
    /// A contract, or null for none; in a file alone.
    static var contract: ValueKind {
        ValueKind(
            placeholder: "OBJECT",
            read: { input throws(SettingExpectation) in try ContractReader.read(input) },
            write: { $0?.json ?? .null },
            isFileOnly: true
        )
    }
}

extension UploadContract {
    /// The contract as a configuration file has it, without what every rule means by default.
    package var json: JSONValue {
        let rules = fields.sorted { $0.name < $1.name }.map { JSONMember($0.name, $0.json) }
        return .object([
            JSONMember("unknownFields", .string(allowsUnknownFields ? "allow" : "deny")),
            JSONMember("fields", .object(rules)),
        ])
    }
}

extension FieldRule {
    fileprivate var json: JSONValue {
        var members = [JSONMember("kind", .string(kind.rawValue))]
        func add(_ name: String, _ value: JSONValue, unless isUsual: Bool) {
            if !isUsual { members.append(JSONMember(name, value)) }
        }
        add("required", .boolean(isRequired), unless: !isRequired)
        let most = maximumCount.map { JSONValue.integer($0) } ?? .string("unlimited")
        add("maxCount", most, unless: maximumCount == 1)
        add("minBytes", .size(minimumBytes), unless: minimumBytes == 0)
        add("maxBytes", .size(maximumBytes ?? 0), unless: maximumBytes == nil)
        add("contentTypes", .list(contentTypes), unless: contentTypes.isEmpty)
        add("sniffedTypes", .list(sniffedTypes), unless: sniffedTypes.isEmpty)
        add("extensions", .list(extensions), unless: extensions.isEmpty)
        add("filename", filename.json, unless: filename == FilenameRule())
        return .object(members)
    }
}

extension FilenameRule {
    fileprivate var json: JSONValue {
        var members: [JSONMember] = []
        if let maximumBytes { members.append(JSONMember("maxBytes", .size(maximumBytes))) }
        if let characters { members.append(JSONMember("characters", .string(characters.text))) }
        if let pattern { members.append(JSONMember("pattern", .string(pattern.text))) }
        return .object(members)
    }
}

extension JSONValue {
    fileprivate static func list(_ texts: [String]) -> JSONValue {
        .array(texts.map { .string($0) })
    }
}
