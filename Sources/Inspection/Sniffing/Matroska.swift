/// Films in EBML: WebM is the part of Matroska that browsers play.
enum Matroska {
    /// Reads the DocType element (RFC 8794 §11.2.4): 42 82, its length, its text.
    static func type(of start: Span<UInt8>) -> String {
        var index = 4
        while index + 2 < start.count, index < 64 {
            if start[index] == 0x42, start[index + 1] == 0x82, isWebM(start, from: index + 2) {
                return "video/webm"
            }
            index += 1
        }
        return "video/matroska"
    }

    /// The length has as many bytes as its first one has leading zero bits, and one; the text may
    /// have zeros before it (WHATWG MIME Sniffing §6.2.2).
    private static func isWebM(_ start: Span<UInt8>, from offset: Int) -> Bool {
        var index = offset + start[offset].leadingZeroBitCount + 1
        while index < start.count, start[index] == 0 { index += 1 }
        return start.holds(Array("webm".utf8), at: index)
    }
}
