/// A digest that Weir can compute, by the name ECS gives it under `file.hash`.
package enum DigestAlgorithm: String, CaseIterable, Sendable {
    case sha256, sha1, md5, sha512, crc32, crc32c

    /// Bytes of a digest.
    package var size: Int {
        switch self {
        case .sha256: 32
        case .sha1: 20
        case .md5: 16
        case .sha512: 64
        case .crc32, .crc32c: 4
        }
    }
}
