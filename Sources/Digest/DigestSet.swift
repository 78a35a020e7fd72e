/// Any number of digests over the same bytes, in one pass.
///
/// What is not asked for costs nothing.
package struct DigestSet: Sendable {
    private var sha256: SHA256?
    private var sha1: SHA1?
    private var md5: MD5?
    private var sha512: SHA512?
    private var crc32: CRC32?
    private var crc32c: CRC32?

    /// How many of the next bytes are part of the SHA-256 already.
    private var hashedAhead = 0

    package init(_ algorithms: some Sequence<DigestAlgorithm>) {
        for algorithm in algorithms {
            switch algorithm {
            case .sha256: sha256 = SHA256()
            case .sha1: sha1 = SHA1()
            case .md5: md5 = MD5()
            case .sha512: sha512 = SHA512()
            case .crc32: crc32 = CRC32(.iso)
            case .crc32c: crc32c = CRC32(.castagnoli)
            }
        }
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        let known = min(hashedAhead, bytes.count)
        hashedAhead -= known
        sha256?.update(bytes.extracting(known...))
        sha1?.update(bytes)
        md5?.update(bytes)
        sha512?.update(bytes)
        crc32?.update(bytes)
        crc32c?.update(bytes)
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
    package mutating func finish() -> [Digest] {
        var digests: [Digest] = []
        if let value = sha256?.finish() {
            let bytes = value.bytes
            digests.append(Digest(.sha256, bytes.indices.map { bytes[$0] }))
        }
        if let value = sha1?.finish() { digests.append(Digest(.sha1, value)) }
        if let value = md5?.finish() { digests.append(Digest(.md5, value)) }
        if let value = sha512?.finish() { digests.append(Digest(.sha512, value)) }
        if let value = crc32?.finish() { digests.append(Digest(.crc32, value)) }
        if let value = crc32c?.finish() { digests.append(Digest(.crc32c, value)) }
        return digests
    }

    package mutating func reset() {
        hashedAhead = 0
        sha256?.reset()
        sha1?.reset()
        md5?.reset()
        sha512?.reset()
        crc32?.reset()
        crc32c?.reset()
    }
}
