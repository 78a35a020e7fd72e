/// Makes text that came from outside safe to print on a terminal.
package enum TerminalText {
    /// `text` with every character that could move the cursor, hide or reorder text as an escape.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case "\\": result += "\\\\"
            default:
                if isSafe(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{" + String(scalar.value, radix: 16) + "}"
                }
            }
        }
        return result
    }

    /// `text` escaped, and cut to `limit` characters with an ellipsis.
    package static func escaped(_ text: String, limit: Int) -> String {
        // The cut comes first too: escaping a megabyte to show forty characters is waste.
        let whole = escaped(String(text.prefix(limit + 1)))
        return whole.count <= limit ? whole : whole.prefix(max(0, limit - 1)) + "…"
    }

    /// False for controls, format characters (the bidi overrides among them), line separators,
    /// and what has no agreed form.
    package static func isSafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x7F { return scalar.value >= 0x20 }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
            .unassigned:
            false
        default: true
        }
    }
}
