/// What the schema of one property says that a part can show.
struct OpenAPIValue {
    /// The value is bytes: a file.
    let isBinary: Bool

    /// The schema of the elements, where the value is a list: each is a part of its own.
    let items: JSONValue?
    let minimumItems: Int?
    let maximumItems: Int?

    let minimumBytes: Int
    let maximumBytes: Int?

    /// The value is said to be one thing or another, which is not looked into.
    let isChoice: Bool

    init(_ schema: JSONValue, in document: OpenAPIDocument) throws(UsageProblem) {
        let schema = try Self.unwrapped(schema, in: document)
        let types = Self.types(of: schema)
        // OpenAPI 3.0 says format: binary; 3.1 leaves the type out or says contentMediaType, and has
        // contentEncoding where the bytes come as text.
        isBinary =
            schema.member("format") == .string("binary")
            || schema.member("contentMediaType") != nil && schema.member("contentEncoding") == nil
                && (types.isEmpty || schema.member("contentMediaType") == .string(Self.bytes))
        items = types.contains("array") ? schema.member("items") ?? .object([]) : nil
        minimumItems = Self.count(schema.member("minItems"))
        // A contract has one at least; a list that must be empty is none that anybody sends.
        maximumItems = Self.count(schema.member("maxItems")).map { min(max(1, $0), 100_000) }
        isChoice = ["oneOf", "anyOf", "allOf"].contains { schema.member($0) != nil }

        let shortest = Self.count(schema.member("minLength")) ?? 0
        let longest = Self.count(schema.member("maxLength"))
        let isText = types.allSatisfy { $0 == "string" }
        if !isText {
            minimumBytes = 0
            maximumBytes = nil
        } else if isBinary {
            minimumBytes = min(shortest, Self.largest)
            maximumBytes = longest.map { min($0, Self.largest) }
        } else {
            // Lengths of text are in characters, each one to four bytes of UTF-8.
            minimumBytes = min(shortest, Self.largest)
            let most = longest.map { min($0, Self.largest / 4) * 4 }
            maximumBytes = most ?? Self.longestChoice(schema.member("enum"))
        }
    }

    /// What a schema that only wraps another wraps: in OpenAPI 3.0 nothing may stand beside `$ref`,
    /// so descriptions of references are written as an `allOf` of one.
    private static func unwrapped(
        _ schema: JSONValue,
        in document: OpenAPIDocument
    ) throws(UsageProblem) -> JSONValue {
        var schema = try document.resolved(schema)
        for _ in 0..<OpenAPIDocument.maximumDepth {
            guard schema.member("type") == nil, case .array(let pieces)? = schema.member("allOf"),
                pieces.count == 1
            else { return schema }
            schema = try document.resolved(pieces[0])
        }
        throw UsageProblem("a schema is nested too deep, or holds itself")
    }

    private static let bytes = "application/octet-stream"

    /// The largest size a contract can name.
    private static let largest = 1 << 50

    /// OpenAPI 3.1 has lists of types, of which null says nothing about a part.
    private static func types(of schema: JSONValue) -> [String] {
        switch schema.member("type") {
        case .string(let type): [type]
        case .array(let types):
            types.compactMap {
                if case .string(let type) = $0, type != "null" { type } else { nil }
            }
        default: []
        }
    }

    private static func count(_ value: JSONValue?) -> Int? {
        if case .integer(let count)? = value, count >= 0 { count } else { nil }
    }

    /// The size of the longest of the texts that are allowed, where all of them are texts.
    private static func longestChoice(_ value: JSONValue?) -> Int? {
        guard case .array(let choices)? = value else { return nil }
        var longest = 0
        for choice in choices {
            guard case .string(let text) = choice else { return nil }
            longest = max(longest, text.utf8.count)
        }
        return longest
    }
}
