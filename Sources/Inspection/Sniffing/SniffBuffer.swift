internal import Wire

/// The first bytes of a file, kept until they tell what it is.
///
/// The one place where the inspector copies content: at most 512 bytes of each file, into memory
/// that is used again for the next.
struct SniffBuffer: Sendable {
    /// What browsers look at (WHATWG MIME Sniffing §5.2, and a little less than its 1445).
    static let capacity = 512

    private var bytes: [UInt8] = []

    /// Forgets the file before.
    mutating func reset() { bytes.removeAll(keepingCapacity: true) }

    /// Keeps what is still missing.
    mutating func append(_ more: Span<UInt8>) {
        let missing = Self.capacity - bytes.count
        guard missing > 0 else { return }
        bytes.append(min(missing, more.count), of: more)
    }

    var isFull: Bool { bytes.count == Self.capacity }

    /// What the file is, and may be read as, as far as its beginning tells; nil for an empty one.
    var types: SniffedTypes? { ContentSniffer.types(of: bytes.span) }
}
