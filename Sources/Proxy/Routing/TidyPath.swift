internal import Wire

/// A path as a lenient upstream may read it.
///
/// Percent-encoding is undone once (RFC 3986 §2.1), parameters of segments (`;x=y`) are dropped as
/// servlet containers do, then empty and `.` segments are, and `..` takes the segment before it
/// along (RFC 3986 §5.2.4).
enum TidyPath {
    /// The tidy form of `path`, or nil where there is nothing to tidy.
    static func text(of path: String) -> String? {
        let bytes = Array(path.utf8)
        guard needsTidying(bytes) else { return nil }
        var segments: [ArraySlice<UInt8>] = []
        let whole = decoded(bytes)
        let pieces = whole.split(separator: slash, omittingEmptySubsequences: false)
        for piece in pieces {
            let segment = piece.prefix { $0 != UInt8(ascii: ";") }
            switch Array(segment) {
            case [], [dot]: break
            case [dot, dot]: _ = segments.popLast()
            default: segments.append(segment)
            }
        }
        var tidy: [UInt8] = []
        for segment in segments { tidy += [slash] + segment }
        let last = pieces.last?.prefix { $0 != UInt8(ascii: ";") } ?? []
        if last.isEmpty || last == [dot] || last == [dot, dot] { tidy.append(slash) }
        return String(decoding: tidy, as: UTF8.self)
    }

    private static let slash = UInt8(ascii: "/")
    private static let dot = UInt8(ascii: ".")

    private static func needsTidying(_ bytes: [UInt8]) -> Bool {
        var before: UInt8 = 0
        for byte in bytes {
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: ";") { return true }
            if before == slash, byte == slash || byte == dot { return true }
            before = byte
        }
        return false
    }

    private static func decoded(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
            {
                let value = high << 4 | low
                // A backslash is a separator to some; in the raw path it is refused.
                result.append(value == ASCII.backslash ? slash : value)
                index += 3
            } else {
                result.append(byte)
                index += 1
            }
        }
        return result
    }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}
