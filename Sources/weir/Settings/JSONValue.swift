/// A JSON value, with the members of an object in the order they are to be written.
package indirect enum JSONValue: Equatable, Sendable {
    case null
    case boolean(Bool)
    case integer(Int)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
}

/// One name and its value in a JSON object.
package struct JSONMember: Equatable, Sendable {
    package let name: String
    package let value: JSONValue

    package init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }
}

extension JSONValue {
    package static func optional(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }

    package static func optional(_ number: Int?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }
}

extension JSONValue: Decodable {
    /// Members come in no order from a decoder; they are sorted, so that problems are listed alike
    /// every time.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let values = try? container.decode([JSONValue].self) {
            self = .array(values)
        } else {
            let members = try container.decode([String: JSONValue].self)
            self = .object(members.sorted { $0.key < $1.key }.map { JSONMember($0.key, $0.value) })
        }
    }
}
