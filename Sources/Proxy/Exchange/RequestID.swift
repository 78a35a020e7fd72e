internal import Transport

/// Names one request: a UUID of version 4 (RFC 9562 §5.4) as lower-case text.
enum RequestID {
    private static let digits = Array("0123456789abcdef".utf8)

    static func make(from random: inout RandomBits) -> String {
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                text.append(UInt8(ascii: "-"))
            }
            let word = index < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - 4 * (index & 15)) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
