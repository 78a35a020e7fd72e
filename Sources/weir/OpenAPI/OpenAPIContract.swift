package import Inspection

/// A contract made of what an OpenAPI document says of a form.
///
/// A schema is about values, a contract about parts; what is the same in both is taken over, and
/// nothing is made stricter than the schema but one thing: JSON Schema lets properties come that it
/// does not name, and a contract does so only where `additionalProperties` says it in words.
package struct OpenAPIContract {
    package let contract: UploadContract

    /// The operation it is of, as in `POST /photos`.
    package let operation: String

    /// What the schema asks and a contract cannot.
    package private(set) var notes: [String] = []

    private let document: OpenAPIDocument

    /// Reads the only form of `document`, or the one of `path` and `method`.
    package init(
        of document: OpenAPIDocument,
        path: String? = nil,
        method: String? = nil
    ) throws(UsageProblem) {
        self.document = document
        let (operation, media) = try Self.form(of: document, path, method?.uppercased())
        self.operation = operation.name
        guard let schema = media.member("schema") else {
            throw UsageProblem("\(operation.name) takes a form, but says nothing of its fields")
        }
        var reader = OpenAPIFormReader(document)
        try reader.read(schema, depth: 0)
        contract = try reader.contract(encoding: media.member("encoding"))
        notes = reader.notes
    }

    private static func form(
        of document: OpenAPIDocument,
        _ path: String?,
        _ method: String?
    ) throws(UsageProblem) -> (OpenAPIOperation, JSONValue) {
        let asked = try document.operations(of: path)
            .filter { (method ?? $0.method) == $0.method }
        guard !asked.isEmpty else {
            let meant = path.flatMap { Suggestion.nearest(to: $0, among: document.paths) }
            throw UsageProblem(
                "the document has no such operation"
                    + (meant == path ? "" : meant.map { "; did you mean \($0)?" } ?? "")
            )
        }
        var found: [(OpenAPIOperation, JSONValue)] = []
        for operation in asked {
            if let media = try form(of: operation, in: document) {
                found.append((operation, media))
            }
        }
        guard let first = found.first else {
            let place = path == nil && method == nil ? "the document" : "that operation"
            throw UsageProblem("\(place) takes no multipart/form-data")
        }
        guard found.count == 1 else {
            let names = found.prefix(8).map(\.0.name).joined(separator: ", ")
            let more = found.count > 8 ? ", …" : ""
            throw UsageProblem(
                "\(found.count) operations take forms: \(names)\(more);"
                    + " say which with --path and --method"
            )
        }
        return first
    }

    /// What the operation says of forms, or nil where it takes none.
    private static func form(
        of operation: OpenAPIOperation,
        in document: OpenAPIDocument
    ) throws(UsageProblem) -> JSONValue? {
        guard let body = operation.value.member("requestBody") else { return nil }
        let content = try document.resolved(body).member("content")
        return content?.members.first { member in
            let type = member.name.prefix { $0 != ";" && $0 != " " }
            return type.lowercased() == "multipart/form-data"
        }?.value
    }
}
