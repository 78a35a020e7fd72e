/// The digests beside SHA-256: what is not asked for costs nothing but room.
struct OtherDigests: Sendable {
    private var sha1: SHA1?
    private var md5: MD5?
    private var sha512: SHA512?
    private var crc32: CRC32?
    private var crc32c: CRC32?

    private(set) var isEmpty = true

    mutating func add(_ algorithm: DigestAlgorithm) {
        isEmpty = false
        switch algorithm {
        case .sha256: preconditionFailure("this one is kept apart")
        case .sha1: sha1 = SHA1()
        case .md5: md5 = MD5()
        case .sha512: sha512 = SHA512()
        case .crc32: crc32 = CRC32(.iso)
        case .crc32c: crc32c = CRC32(.castagnoli)
        }
    }

    mutating func update(_ bytes: Span<UInt8>) {
        sha1?.update(bytes)
        md5?.update(bytes)
        sha512?.update(bytes)
        crc32?.update(bytes)
        crc32c?.update(bytes)
    }

    mutating func finish(into digests: inout [Digest]) {
        if let value = sha1?.finish() { digests.append(Digest(.sha1, value)) }
        if let value = md5?.finish() { digests.append(Digest(.md5, value)) }
        if let value = sha512?.finish() { digests.append(Digest(.sha512, value)) }
        if let value = crc32?.finish() { digests.append(Digest(.crc32, value)) }
        if let value = crc32c?.finish() { digests.append(Digest(.crc32c, value)) }
    }

    mutating func reset() {
        sha1?.reset()
        md5?.reset()
        sha512?.reset()
        crc32?.reset()
        crc32c?.reset()
    }
}
