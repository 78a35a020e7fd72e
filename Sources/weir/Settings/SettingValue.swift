/// What stands for a setting where it is set: text on the command line or in a variable, JSON in
/// a file.
package enum SettingInput: Equatable, Sendable {
    case text(String)
    case json(JSONValue)

    /// The text of an option or variable, or of a JSON string.
    var text: String? {
        switch self {
        case .text(let text), .json(.string(let text)): text
        case .json: nil
        }
    }

    /// Texts of a list: separated by commas, or the strings of a JSON array.
    var texts: [String]? {
        switch self {
        case .text(let text):
            return text.split(separator: ",", omittingEmptySubsequences: false).map { trim($0) }
        case .json(.string(let text)):
            return [text]
        case .json(.array(let values)):
            var texts: [String] = []
            for value in values {
                guard case .string(let text) = value else { return nil }
                texts.append(text)
            }
            return texts
        case .json:
            return nil
        }
    }

    /// How a problem quotes it.
    var quoted: String {
        switch self {
        case .text(""): "nothing"
        case .text(let text): "\"\(TerminalText.escaped(text, limit: 80))\""
        case .json(let value): TerminalText.escaped(JSONText.line(value), limit: 80)
        }
    }

    private func trim(_ text: Substring) -> String {
        var text = text
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}

/// Why a value was refused, as the end of a sentence that has said what was found.
package struct SettingExpectation: Error, Equatable {
    let sentenceEnd: String

    /// Something else was expected.
    init(_ expected: String) {
        sentenceEnd = ", expected \(expected)"
    }

    /// The value itself tells best what is wrong with it, in a sentence of its own.
    init(because reason: String) {
        sentenceEnd = ". " + TerminalText.escaped(reason)
    }
}

/// A kind of value: how it is read, how it is written, how help names it.
struct ValueKind<Value>: Sendable {
    /// What stands after the option in help, `SIZE` in `--hold SIZE`.
    let placeholder: String
    let read: @Sendable (SettingInput) throws(SettingExpectation) -> Value
    let write: @Sendable (Value) -> JSONValue

    /// True where an option may stand alone, and mean yes.
    var isSwitch = false
    /// True where an option may be given more than once.
    var isList = false
    /// True where text cannot say it: there is neither an option nor a variable.
    var isFileOnly = false
}
