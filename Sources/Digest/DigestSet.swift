/// Any number of digests over the same bytes, in one pass.
///
/// What is not asked for costs nothing.
package struct DigestSet: Sendable {
    private var sha256: SHA256?

    /// The others, which most sets do not have: none, or one.
    private var others: [OtherDigests] = []

    /// How many of the next bytes are part of the SHA-256 already.
    private var hashedAhead = 0

    package init(_ algorithms: some Sequence<DigestAlgorithm>) {
        var more = OtherDigests()
        for algorithm in algorithms {
            if algorithm == .sha256 { sha256 = SHA256() } else { more.add(algorithm) }
        }
        if !more.isEmpty { others = [more] }
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let known = min(hashedAhead, bytes.count)
        hashedAhead -= known
        sha256?.update(bytes.extracting(known...))
        if !others.isEmpty { others[0].update(bytes) }
    }

    /// True if it makes what `hashAhead` can make for two at once.
    package var makesSHA256: Bool { sha256 != nil }

    /// Hashes what two sets are about to be updated with, at once where they can be.
    package static func hashAhead(
        _ set: inout DigestSet,
        of bytes: Span<UInt8>,
        _ other: inout DigestSet,
        of others: Span<UInt8>
    ) {
        guard set.hashedAhead == 0, other.hashedAhead == 0, var hash = set.sha256,
            var otherHash = other.sha256
        else { return }
        SHA256.update(&hash, with: bytes, and: &otherHash, with: others)
        set.sha256 = hash
        other.sha256 = otherHash
        set.hashedAhead = bytes.count
        other.hashedAhead = others.count
    }

    /// Ends the message and returns its digests, in the order of `DigestAlgorithm`.
    package mutating func finish() -> Digests {
        var more: [Digest] = []
        if !others.isEmpty { others[0].finish(into: &more) }
        return Digests((sha256?.finish()).map { Digest($0) }, more)
    }

    package mutating func reset() {
        hashedAhead = 0
        sha256?.reset()
        if !others.isEmpty { others[0].reset() }
    }
}
