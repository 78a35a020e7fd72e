/// A pattern at the beginning of a file that tells what the file is.
///
/// After the WHATWG MIME Sniffing standard, §6, with the formats that uploads bring beside those
/// that browsers show. All of it is within the first `SniffBuffer.capacity` bytes.
struct FileSignature: Sendable {
    let mediaType: String

    /// Where the pattern stands.
    let offset: Int

    /// The bytes, as a literal: one character a byte, so that `\u{89}PNG` is four bytes.
    let pattern: [UInt8]

    /// A second pattern that must be there too: the brand within a RIFF or ISO file.
    let also: (offset: Int, pattern: [UInt8])?

    /// True of up to four printable characters, which a text may begin with as well.
    let isWord: Bool

    init(_ mediaType: String, _ pattern: String, at offset: Int = 0, also: (Int, String)? = nil) {
        self.mediaType = mediaType
        self.offset = offset
        self.pattern = Self.bytes(pattern)
        self.also = also.map { ($0.0, Self.bytes($0.1)) }
        let all = self.pattern + (self.also?.pattern ?? [])
        isWord = all.count <= 4 && all.allSatisfy { (0x20...0x7E).contains($0) }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    func matches(_ start: Span<UInt8>) -> Bool {
        guard start.holds(pattern, at: offset) else { return false }
        guard let also else { return true }
        return start.holds(also.pattern, at: also.offset)
    }
}
