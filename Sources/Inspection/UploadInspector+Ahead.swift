internal import Digest
internal import Multipart

extension UploadInspector {
    /// Fewer bytes than these are not worth looking ahead for.
    private static let worthHashing = 8 << 10

    /// Hashes what two bodies bring, at once: the content at the front of what each of them is to
    /// `consume` next, as far as it is plain and both have as much.
    ///
    /// It changes nothing but the time it takes.
    package static func hashAhead(
        _ inspector: inout UploadInspector,
        of bytes: Span<UInt8>,
        _ other: inout UploadInspector,
        of others: Span<UInt8>
    ) {
        let count = min(inspector.contentAhead(in: bytes), other.contentAhead(in: others))
        guard count >= worthHashing else { return }
        DigestSet.hashAhead(
            &inspector.ledger.digests,
            of: bytes.extracting(..<count),
            &other.ledger.digests,
            of: others.extracting(..<count)
        )
    }

    /// How many bytes, at the front of those that come next, go into the digest of the open part.
    private mutating func contentAhead(in bytes: Span<UInt8>) -> Int {
        guard bytes.count >= Self.worthHashing, allowance(of: bytes.count) == bytes.count,
            ledger.takesAhead(bytes.count)
        else { return 0 }
        switch body {
        case .raw: return bytes.count
        case .multipart: return parser?.contentAhead(in: bytes) ?? 0
        case .unseen, .closed: return 0
        }
    }
}
