internal import Wire

/// The value of an extended parameter, such as `filename*`.
///
///     ext-value   = charset "'" [ language ] "'" value-chars       (RFC 8187 §3.2.1)
///     value-chars = *( pct-encoded / attr-char )
enum ExtendedValue {
    /// The bytes of the value as UTF-8, or nil where it is malformed or of an unknown charset.
    static func decode(_ value: Span<UInt8>) -> [UInt8]? {
        guard let first = index(ofApostropheIn: value, from: 0),
            let second = index(ofApostropheIn: value, from: first + 1),
            let bytes = decodePercents(value, from: second + 1)
        else { return nil }
        return Charset.decode(bytes, from: value.extracting(..<first))
    }

    private static func index(ofApostropheIn value: Span<UInt8>, from start: Int) -> Int? {
        (start..<value.count).first { value[$0] == UInt8(ascii: "'") }
    }

    private static func decodePercents(_ value: Span<UInt8>, from start: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = start
        while index < value.count {
            let byte = value[index]
            if byte == UInt8(ascii: "%") {
                guard value.count - index > 2,
                    let high = ASCII.hexValue(of: value[index + 1]),
                    let low = ASCII.hexValue(of: value[index + 2])
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                guard isAttributeCharacter(byte) else { return nil }
                bytes.append(byte)
                index += 1
            }
        }
        return bytes
    }

    /// `attr-char`: a token without `*`, `'` and `%`.
    private static func isAttributeCharacter(_ byte: UInt8) -> Bool {
        ByteClass.token.contains(byte) && byte != UInt8(ascii: "*") && byte != UInt8(ascii: "'")
            && byte != UInt8(ascii: "%")
    }
}

extension Charset {
    /// Text in UTF-8 or ISO-8859-1 as UTF-8; nil for other charsets and for malformed text.
    static func decode(_ bytes: [UInt8], from charset: Span<UInt8>) -> [UInt8]? {
        if charset.equalsIgnoringCase("utf-8") {
            return bytes.span.firstInvalidUTF8 == nil ? bytes : nil
        }
        guard charset.equalsIgnoringCase("iso-8859-1") else { return nil }
        return Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
    }
}
