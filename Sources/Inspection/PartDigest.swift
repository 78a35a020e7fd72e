internal import Digest
internal import Wire

/// One digest of a part's content, as its bytes: text is made of it where it is written.
package struct PartDigest: Equatable, Sendable {
    /// The name ECS gives it under `file.hash`.
    package let algorithm: String

    /// How many of `storage` are the digest; those behind them are zero.
    package let count: Int

    package let storage: InlineArray<64, UInt8>

    init(_ digest: Digest) {
        algorithm = digest.algorithm.rawValue
        count = digest.algorithm.size
        storage = digest.storage
    }

    /// A digest of at most 64 bytes, as it is written.
    package init(algorithm: String, hexadecimal: String) {
        let digits = hexadecimal.utf8.map { ASCII.hexValue(of: $0) ?? 0 }
        var storage = InlineArray<64, UInt8>(repeating: 0)
        for index in 0..<digits.count / 2 {
            storage[index] = UInt8(digits[2 * index] << 4 | digits[2 * index + 1])
        }
        self.algorithm = algorithm
        count = digits.count / 2
        self.storage = storage
    }

    /// Its digits, letters in lower case.
    package var hexadecimal: String { storage.span.extracting(..<count).hexadecimal }

    package static func == (left: PartDigest, right: PartDigest) -> Bool {
        left.algorithm == right.algorithm && left.count == right.count
            && left.storage.indices.allSatisfy { left.storage[$0] == right.storage[$0] }
    }
}
