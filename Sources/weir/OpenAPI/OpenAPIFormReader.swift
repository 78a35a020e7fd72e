internal import Inspection

/// Collects the properties of a form's schema, and makes a rule of each.
struct OpenAPIFormReader {
    private let document: OpenAPIDocument
    private var properties: [JSONMember] = []
    private var required: Set<[UInt8]> = []
    private var allowsUnknownFields = false
    private(set) var notes: [String] = []

    /// Schemas that may still be read: a few that hold each other twice make billions.
    private var budget = 1000

    init(_ document: OpenAPIDocument) {
        self.document = document
    }

    /// Reads an object's schema, and those it is composed of with `allOf`.
    mutating func read(_ schema: JSONValue, depth: Int) throws(UsageProblem) {
        budget -= 1
        guard depth < OpenAPIDocument.maximumDepth, budget > 0 else {
            throw UsageProblem("the schema of the form is nested too deep, or holds itself")
        }
        let schema = try document.resolved(schema)
        for word in ["oneOf", "anyOf", "not"] where schema.member(word) != nil {
            throw UsageProblem(
                "the schema of the form has \(word): a contract cannot say that; write it by hand"
            )
        }
        if case .array(let pieces)? = schema.member("allOf") {
            for piece in pieces { try read(piece, depth: depth + 1) }
        }
        for property in schema.member("properties")?.members ?? [] {
            properties.removeAll { $0.name.utf8.elementsEqual(property.name.utf8) }
            properties.append(property)
        }
        if case .array(let names)? = schema.member("required") {
            for case .string(let name) in names { required.insert(Array(name.utf8)) }
        }
        switch schema.member("additionalProperties") {
        case .boolean(true), .object: allowsUnknownFields = true
        default: break
        }
    }

    mutating func contract(encoding: JSONValue?) throws(UsageProblem) -> UploadContract {
        guard !properties.isEmpty || allowsUnknownFields else {
            throw UsageProblem("the schema of the form has no properties")
        }
        var contract = UploadContract()
        contract.allowsUnknownFields = allowsUnknownFields
        for property in properties {
            let schema = try document.resolved(property.value)
            // A property that is readOnly belongs to answers, and is not to be sent.
            if schema.member("readOnly") == .boolean(true) { continue }
            let types = encoding?.member(property.name)?.member("contentType")
            contract.fields.append(try rule(property.name, schema, types))
        }
        for name in required.sorted(by: { $0.lexicographicallyPrecedes($1) })
        where !contract.fields.contains(where: { $0.name.utf8.elementsEqual(name) }) {
            let isLeftOut = properties.contains { $0.name.utf8.elementsEqual(name) }
            if isLeftOut || allowsUnknownFields { continue }
            let shown = TerminalText.escaped(String(decoding: name, as: UTF8.self), limit: 80)
            notes.append("\(shown) is required, but is no property")
        }
        return contract
    }

    private mutating func rule(
        _ name: String,
        _ schema: JSONValue,
        _ contentTypes: JSONValue?
    ) throws(UsageProblem) -> FieldRule {
        let list = try OpenAPIValue(schema, in: document)
        let value =
            try list.items.map { items throws(UsageProblem) in
                try OpenAPIValue(items, in: document)
            } ?? list
        var rule = FieldRule(name, value.isBinary ? .file : .field)
        rule.isRequired = required.contains(Array(name.utf8))
        if list.items != nil { rule.maximumCount = list.maximumItems }
        rule.minimumBytes = value.minimumBytes
        rule.maximumBytes = value.maximumBytes
        let shown = TerminalText.escaped(name, limit: 80)
        if value.isChoice {
            notes.append("\(shown): its oneOf, anyOf or allOf is left to the upstream")
        }
        if let minimum = list.minimumItems, minimum > 1 {
            notes.append("\(shown): a contract cannot ask for \(minimum) parts, only for one")
        }
        if case .string(let text)? = contentTypes {
            let types = text.split(separator: ",").map { $0.trimmingSpaces().lowercased() }
            if types.contains("*/*") { return rule }
            if types.allSatisfy(MediaTypeText.isTypeOrFamily), !types.isEmpty {
                rule.contentTypes = types
            } else {
                notes.append("\(shown): its contentType is no list of media types")
            }
        }
        return rule
    }
}

extension Substring {
    fileprivate func trimmingSpaces() -> Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
