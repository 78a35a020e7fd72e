internal import Transport
internal import Wire

/// Names one request: a UUID of version 4 (RFC 9562 §5.4) as lower-case text.
enum RequestID {
    static func make(from random: inout RandomBits) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text = InlineArray<36, UInt8>(repeating: UInt8(ascii: "-"))
        var place = 0
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { place += 1 }
            let word = index < 16 ? high : low
            let digit = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (index & 15))) & 15
            text[place] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10)
            place += 1
        }
        return text.span.repairedText
    }
}
