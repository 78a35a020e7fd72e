/// Text in UTF-16, made narrow: each unit of one ASCII character becomes that byte, and any other
/// a byte that no markup has.
enum UTF16Text {
    /// Whether a byte order mark says big-endian; nil if there is none.
    static func byteOrder(of start: Span<UInt8>) -> Bool? {
        if start.holds([0xFE, 0xFF], at: 0) { return true }
        if start.holds([0xFF, 0xFE], at: 0) { return false }
        return nil
    }

    /// Whether there is a "<" that may begin a tag.
    static func mayHaveTag(_ start: Span<UInt8>, _ isBigEndian: Bool) -> Bool {
        let (low, high) = isBigEndian ? (1, 0) : (0, 1)
        var index = 0
        while index + 1 < start.count {
            if start[index + low] == UInt8(ascii: "<"), start[index + high] == 0 { return true }
            index += 2
        }
        return false
    }

    /// The text behind the byte order mark, if there is one.
    static func narrowed(_ start: Span<UInt8>, isBigEndian: Bool) -> [UInt8] {
        let high = isBigEndian ? 0 : 1
        var index = byteOrder(of: start) == nil ? 0 : 2
        var text: [UInt8] = []
        while index + 1 < start.count {
            let isASCII = start[index + high] == 0 && start[index + 1 - high] < 0x80
            text.append(isASCII ? start[index + 1 - high] : 0x80)
            index += 2
        }
        return text
    }
}
