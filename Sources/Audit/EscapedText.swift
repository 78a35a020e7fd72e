/// How characters that must not stand for themselves are written.
package enum EscapeStyle: Sendable {
    /// RFC 8259 §7: a JSON string, with its quotation marks, and `\u202e`.
    case json
    /// For a terminal: in quotation marks, with `\u{202e}`.
    case quoted
    /// A word for a terminal: without quotation marks, and a space is escaped too, so that no
    /// value can look like two.
    case bare
}

extension [UInt8] {
    /// Appends at most `limit` bytes of `text`, cut between characters and then ended by "…".
    ///
    /// What is escaped, beyond what the style demands, is every character that a terminal acts on
    /// or that changes the order in which its neighbours are shown: a record is often read in a
    /// terminal, and its names come from whoever uploads.
    package mutating func append(
        escaping text: String,
        atMost limit: Int = .max,
        as style: EscapeStyle
    ) {
        let utf8 = text.utf8.span
        let end = utf8.characterBoundary(atMost: limit)
        let isQuoted = style != .bare
        if end == utf8.count, utf8.isPlain(as: style) {
            // The usual case, done with one reservation.
            append(addingCapacity: end + 2) { output in
                if isQuoted { output.append(UInt8(ascii: "\"")) }
                for index in utf8.indices { output.append(utf8[index]) }
                if isQuoted { output.append(UInt8(ascii: "\"")) }
            }
            return
        }
        if isQuoted { append(UInt8(ascii: "\"")) }
        for scalar in Substring(text.utf8.prefix(end)).unicodeScalars {
            append(escaping: scalar, as: style)
        }
        if end < utf8.count { append(contentsOf: "…".utf8) }
        if isQuoted { append(UInt8(ascii: "\"")) }
    }

    private mutating func append(escaping scalar: Unicode.Scalar, as style: EscapeStyle) {
        switch scalar {
        case "\"", "\\":
            append(UInt8(ascii: "\\"))
            append(UInt8(truncatingIfNeeded: scalar.value))
        case "\n": append(contentsOf: #"\n"#.utf8)
        case "\r": append(contentsOf: #"\r"#.utf8)
        case "\t": append(contentsOf: #"\t"#.utf8)
        case _ where scalar.actsOnItsSurroundings, " " where style == .bare:
            switch style {
            case .json:
                append(contentsOf: #"\u"#.utf8)
                append(hexadecimal: scalar.value, digits: 4)
                return
            case .quoted, .bare:
                append(contentsOf: #"\u{"#.utf8)
                append(hexadecimal: scalar.value, digits: scalar.value > 0xFF ? 4 : 2)
                append(UInt8(ascii: "}"))
            }
        default:
            append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// Appends the last `digits` hexadecimal digits of `value`, in lower case.
    private mutating func append(hexadecimal value: UInt32, digits: UInt32) {
        for place in (0..<digits).reversed() {
            let digit = UInt8(value >> (place * 4) & 0xF)
            append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }

    /// Appends `value` in decimal.
    package mutating func append(decimal value: Int) {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(decimal: UInt64(value.magnitude))
    }

    /// Appends `value` in decimal.
    package mutating func append(decimal value: UInt64) {
        var count = 1
        var power: UInt64 = 1
        while value / power >= 10 {
            power *= 10  // at most `value`, so it fits
            count += 1
        }
        append(addingCapacity: count) { output in
            while power > 0 {
                output.append(UInt8(ascii: "0") + UInt8(value / power % 10))
                power /= 10
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for controls, line and paragraph separators, and the marks of bidirectional text.
    ///
    /// All of them lie below U+10000, so four hexadecimal digits name each.
    var actsOnItsSurroundings: Bool {
        switch value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}

extension Span<UInt8> {
    /// The largest offset up to `limit` at which no character is cut.
    fileprivate func characterBoundary(atMost limit: Int) -> Int {
        guard count > limit else { return count }
        var end = Swift.max(limit, 0)
        while end > 0, self[end] & 0xC0 == 0x80 { end -= 1 }
        return end
    }

    /// True if none of these bytes can belong to a character that is escaped.
    ///
    /// The characters above US-ASCII that are escaped begin with C2, D8 or E2.
    fileprivate func isPlain(as style: EscapeStyle) -> Bool {
        // One sum of comparisons and no early exit: so the loop is done many bytes at a time.
        let lowest: UInt8 = style == .bare ? 0x21 : 0x20
        var suspects: UInt8 = 0
        for index in indices {
            let byte = self[index]
            let isControl: UInt8 = byte < lowest ? 1 : 0
            let isQuoting: UInt8 = (byte == 0x22 ? 1 : 0) | (byte == 0x5C ? 1 : 0)
            let isDelete: UInt8 = byte == 0x7F ? 1 : 0
            let isC2: UInt8 = byte == 0xC2 ? 1 : 0
            let isD8OrE2: UInt8 = (byte == 0xD8 ? 1 : 0) | (byte == 0xE2 ? 1 : 0)
            suspects |= isControl | isQuoting | isDelete | isC2 | isD8OrE2
        }
        return suspects == 0
    }
}
