internal import Wire

/// An encoded-word, mail's way to write text outside US-ASCII in a header.
///
///     encoded-word = "=?" charset "?" ( "B" / "Q" ) "?" encoded-text "?="     (RFC 2047 §2)
///
/// It has no meaning in form data, but .NET sends one as `filename`, and some parsers decode it.
enum EncodedWord {
    /// The index of the "=?" of the first encoded-word in `word`, or nil.
    static func firstIndex(in word: Span<UInt8>) -> Int? {
        let marks = questionMarks(in: word)
        guard let end = marks.last(where: { $0 + 1 < word.count && word[$0 + 1] == ASCII.equals })
        else { return nil }
        let first = marks.indices.dropLast(3).first { first in
            marks[first] > 0 && word[marks[first] - 1] == ASCII.equals
                && marks[first + 2] == marks[first + 1] + 2 && marks[first + 2] < end
                && isEncoding(word[marks[first + 1] + 1])
        }
        return first.map { marks[$0] - 1 }
    }

    /// The text of a value that is one encoded-word and nothing else, as UTF-8, or nil.
    static func decode(_ word: Span<UInt8>) -> [UInt8]? {
        let marks = questionMarks(in: word)
        guard marks.count == 4, marks[0] == 1, marks[2] == marks[1] + 2,
            marks[3] == word.count - 2, word[0] == ASCII.equals,
            word[word.count - 1] == ASCII.equals
        else { return nil }
        let text = word.extracting(marks[2] + 1..<marks[3])
        let bytes: [UInt8]?
        switch ASCII.lowercased(word[marks[1] + 1]) {
        case UInt8(ascii: "b"): bytes = decodeBase64(text)
        case UInt8(ascii: "q"): bytes = decodeQ(text)
        default: bytes = nil
        }
        guard let bytes else { return nil }
        return Charset.decode(bytes, from: word.extracting(2..<marks[1]))
    }

    private static func questionMarks(in word: Span<UInt8>) -> [Int] {
        word.indices.filter { word[$0] == UInt8(ascii: "?") }
    }

    private static func isEncoding(_ byte: UInt8) -> Bool {
        let letter = ASCII.lowercased(byte)
        return letter == UInt8(ascii: "b") || letter == UInt8(ascii: "q")
    }

    private static func decodeBase64(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var padding = 0
        for index in text.indices {
            let byte = text[index]
            if byte == ASCII.equals, index >= text.count - 2 {
                padding += 1
                bits <<= 6
            } else {
                guard padding == 0, let value = base64Value(of: byte) else { return nil }
                bits = bits << 6 | value
            }
            guard index % 4 == 3 else { continue }
            bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
            bits = 0
        }
        bytes.removeLast(padding)
        return bytes
    }

    private static func base64Value(of byte: UInt8) -> UInt32? {
        switch byte {
        case 0x41...0x5A: UInt32(byte) - 0x41
        case 0x61...0x7A: UInt32(byte) - 0x61 + 26
        case 0x30...0x39: UInt32(byte) - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }

    private static func decodeQ(_ text: Span<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte == ASCII.equals {
                guard text.count - index > 2,
                    let high = ASCII.hexValue(of: text[index + 1]),
                    let low = ASCII.hexValue(of: text[index + 2])
                else { return nil }
                bytes.append(UInt8(high << 4 | low))
                index += 3
            } else {
                bytes.append(byte == UInt8(ascii: "_") ? ASCII.SP : byte)
                index += 1
            }
        }
        return bytes
    }
}
