#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Wire

/// An OpenAPI 3 document in JSON, whose references can be followed.
///
/// Only references into the document itself are (`#/components/schemas/Photo`, RFC 6901): what
/// another file says cannot be seen here, and guessing would make a contract that lets too much in.
package struct OpenAPIDocument {
    /// References followed one after the other, and schemas within schemas.
    static let maximumDepth = 32

    private let root: JSONValue

    package init(text: String, name: String) throws(UsageProblem) {
        let decoded = try? JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
        guard let decoded, case .object = decoded else {
            throw UsageProblem("\(name) is not a JSON object" + Self.hint(text))
        }
        guard case .string(let version)? = decoded.member("openapi"), version.hasPrefix("3.") else {
            throw UsageProblem("\(name) is not an OpenAPI 3 document: openapi is not \"3.…\"")
        }
        root = decoded
    }

    /// YAML is told by its first word, and there is nothing here to read it with.
    private static func hint(_ text: String) -> String {
        let lines = text.split(whereSeparator: \.isNewline)
        let isYAML = lines.contains { $0.hasPrefix("openapi:") || $0 == "---" }
        return isYAML ? "; weir reads no YAML: convert the document to JSON first" : ""
    }

    /// The paths the document has, in order.
    var paths: [String] { (root.member("paths")?.members ?? []).map(\.name) }

    /// The operations of one path, or of all of them, in order.
    func operations(of only: String?) throws(UsageProblem) -> [OpenAPIOperation] {
        var operations: [OpenAPIOperation] = []
        for path in root.member("paths")?.members ?? [] where only ?? path.name == path.name {
            let item = try resolved(path.value)
            for member in item.members {
                let method = member.name.uppercased()
                guard OpenAPIOperation.methods.contains(method) else { continue }
                operations.append(
                    OpenAPIOperation(method: method, path: path.name, value: member.value)
                )
            }
        }
        return operations
    }

    /// `value`, or what its `$ref` leads to, through any number of references up to the limit.
    func resolved(_ value: JSONValue) throws(UsageProblem) -> JSONValue {
        var value = value
        var seen: Set<String> = []
        while case .string(let reference)? = value.member("$ref") {
            let shown = TerminalText.escaped(reference, limit: 120)
            guard seen.insert(reference).inserted else {
                throw UsageProblem("$ref \(shown) leads back to itself")
            }
            guard seen.count <= Self.maximumDepth else {
                throw UsageProblem("$ref \(shown) is one of too many in a row")
            }
            guard reference == "#" || reference.hasPrefix("#/") else {
                throw UsageProblem("$ref \(shown) is not in this document, and is not followed")
            }
            guard let target = target(of: reference) else {
                throw UsageProblem("$ref \(shown) leads nowhere")
            }
            value = target
        }
        return value
    }

    /// RFC 6901 §6: a JSON pointer as a fragment; `~1` is a slash, `~0` a tilde.
    private func target(of reference: String) -> JSONValue? {
        var value = root
        for piece in reference.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let decoded = Self.percentDecoded(piece) else { return nil }
            let name = decoded.replacing("~1", with: "/").replacing("~0", with: "~")
            if case .array(let values) = value, let index = Int(name), values.indices ~= index {
                value = values[index]
            } else if let member = value.member(name) {
                value = member
            } else {
                return nil
            }
        }
        return value
    }
}

extension OpenAPIDocument {
    /// RFC 3986 §2.1; nil where an escape is broken, or the bytes are not UTF-8.
    private static func percentDecoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(ASCII.hexValue),
                let low = rest.popFirst().flatMap(ASCII.hexValue)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// One method of one path.
struct OpenAPIOperation {
    static let methods = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD", "OPTIONS", "TRACE"]

    let method: String
    let path: String
    let value: JSONValue

    var name: String { "\(method) \(TerminalText.escaped(path, limit: 120))" }
}

extension JSONValue {
    /// The member of an object with this name, compared byte for byte.
    func member(_ name: String) -> JSONValue? {
        members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }

    /// The members of an object; none of anything else.
    var members: [JSONMember] {
        if case .object(let members) = self { members } else { [] }
    }
}
