internal import Wire

/// Reads and writes base64 (RFC 4648 §4), in its one canonical form.
///
///     base64 = *( 4char ) [ 2char "==" / 3char "=" ]
///
/// Strict: padding is required, the bits behind the last byte are zero, and nothing else stands
/// between the characters. Two spellings of one digest would be one too many.
enum Base64 {
    static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var padding = 0
        while padding < 2, padding < text.count, text[text.count - 1 - padding] == ASCII.equals {
            padding += 1
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        for index in 0..<text.count - padding {
            guard let value = value(of: text[index]) else { return nil }
            bits = bits << 6 | value
            if index % 4 == 3 {
                bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
                bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits = 0
            }
        }
        switch padding {
        case 1:
            guard bits & 0b11 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
            bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
        case 2:
            guard bits & 0b1111 == 0 else { return nil }
            bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
        default: break
        }
        return bytes
    }

    static func encode(_ bytes: [UInt8]) -> String {
        var text = ""
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            bits <<= UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = Int(bits >> UInt32(18 - 6 * place) & 0x3F)
                text.unicodeScalars.append(place > group.count ? "=" : alphabet[digit])
            }
        }
        return text
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".unicodeScalars
    )

    private static func value(of byte: UInt8) -> UInt32? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
