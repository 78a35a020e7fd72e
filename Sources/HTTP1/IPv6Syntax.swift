import Wire

/// The grammar of an IPv6 address (RFC 3986 §3.2.2).
///
/// Eight groups of one to four hexadecimal digits; one `::` stands for one group or more; the
/// last two groups may be an IPv4 address. Zones are refused: they mean nothing to another host.
enum IPv6Syntax {
    /// The index of the first byte that breaks the grammar, or nil if none does.
    static func firstOffence(in bytes: Span<UInt8>) -> Int? {
        var groups = 0
        var isCompressed = false
        var index = 0
        if bytes.count >= 2, bytes[0] == ASCII.colon, bytes[1] == ASCII.colon {
            isCompressed = true
            index = 2
            if index == bytes.count { return nil }
        }
        while true {
            let start = index
            while index < bytes.count, index - start < 4,
                ByteClass.hexDigit.contains(bytes[index])
            {
                index += 1
            }
            if index < bytes.count, index > start, bytes[index] == UInt8(ascii: ".") {
                if let offence = firstOffenceInIPv4(bytes, from: start) { return offence }
                groups += 2
                index = bytes.count
                break
            }
            guard index > start else { return index }
            groups += 1
            if index == bytes.count { break }
            guard groups < 8, bytes[index] == ASCII.colon else { return index }
            index += 1
            if index < bytes.count, bytes[index] == ASCII.colon {
                guard !isCompressed else { return index }
                isCompressed = true
                index += 1
                if index == bytes.count { break }
            }
        }
        return (isCompressed ? groups <= 7 : groups == 8) ? nil : index
    }

    /// Four decimal numbers up to 255, without leading zeros, to the end of `bytes`.
    static func firstOffenceInIPv4(_ bytes: Span<UInt8>, from start: Int) -> Int? {
        var index = start
        for octet in 0..<4 {
            if octet > 0 {
                guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else { return index }
                index += 1
            }
            let first = index
            var value = 0
            while index < bytes.count, index - first < 3, ByteClass.digit.contains(bytes[index]) {
                value = value * 10 + Int(bytes[index] - UInt8(ascii: "0"))
                index += 1
            }
            guard index > first, value <= 255 else { return index }
            guard index - first == 1 || bytes[first] != UInt8(ascii: "0") else { return first }
        }
        return index == bytes.count ? nil : index
    }
}
