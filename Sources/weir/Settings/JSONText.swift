/// Writes JSON values as text (RFC 8259), on one line or indented.
///
/// Control characters, the line separators that JavaScript trips over, and the characters that
/// change the direction of text are written as escapes: the text is fit for a terminal.
package struct JSONText {
    package private(set) var text = ""
    private let isIndented: Bool

    /// The text of `value` without a single line break.
    package static func line(_ value: JSONValue) -> String {
        var writer = JSONText(isIndented: false)
        writer.write(value, depth: 0)
        return writer.text
    }

    /// The text of `value`, one member a line.
    package static func indented(_ value: JSONValue) -> String {
        var writer = JSONText(isIndented: true)
        writer.write(value, depth: 0)
        return writer.text
    }

    private init(isIndented: Bool) {
        self.isIndented = isIndented
    }

    private mutating func write(_ value: JSONValue, depth: Int) {
        switch value {
        case .null: text += "null"
        case .boolean(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += value.isFinite ? "\(value)" : "null"
        case .string(let value): writeString(value)
        case .array(let values):
            // Arrays here are short lists of short values: one line reads best.
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += ", " }
                write(value, depth: depth + 1)
            }
            text += "]"
        case .object(let members):
            writeObject(members, depth: depth)
        }
    }

    private mutating func writeObject(_ members: [JSONMember], depth: Int) {
        guard !members.isEmpty else {
            text += "{}"
            return
        }
        text += "{"
        for (index, member) in members.enumerated() {
            if index > 0 { text += isIndented ? "," : ", " }
            breakLine(depth: depth + 1)
            writeString(member.name)
            text += ": "
            write(member.value, depth: depth + 1)
        }
        breakLine(depth: depth)
        text += "}"
    }

    private mutating func breakLine(depth: Int) {
        guard isIndented else { return }
        text += "\n" + String(repeating: "  ", count: depth)
    }

    private mutating func writeString(_ value: String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default:
                if TerminalText.isSafe(scalar) {
                    text.unicodeScalars.append(scalar)
                } else {
                    for unit in String(scalar).utf16 { text += "\\u" + fourDigits(unit) }
                }
            }
        }
        text += "\""
    }

    private func fourDigits(_ unit: UInt16) -> String {
        let digits = String(unit, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension JSONText {
    /// A string without its quotation marks; any other value as `line(_:)` writes it.
    package static func bare(_ value: JSONValue) -> String {
        if case .string(let text) = value { text } else { line(value) }
    }
}
