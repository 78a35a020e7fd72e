/// One digest and how it was made; its bytes are held in place, so it costs no memory of its own.
package struct Digest: Equatable, Sendable {
    package let algorithm: DigestAlgorithm

    /// Room for the longest; those behind `algorithm.size` are zero.
    package private(set) var storage = InlineArray<64, UInt8>(repeating: 0)

    /// Takes what `algorithm` has made: as many bytes as its digests have.
    package init(_ algorithm: DigestAlgorithm, _ bytes: [UInt8]) {
        precondition(bytes.count == algorithm.size, "a digest has the length of its algorithm")
        self.algorithm = algorithm
        for index in bytes.indices { storage[index] = bytes[index] }
    }

    init(_ digest: SHA256Digest) {
        algorithm = .sha256
        let bytes = digest.bytes
        for index in bytes.indices { storage[index] = bytes[index] }
    }

    package var bytes: [UInt8] { (0..<algorithm.size).map { storage[$0] } }

    /// Hexadecimal digits, letters in lower case.
    package var hexadecimal: String { storage.span.extracting(..<algorithm.size).hexadecimal }

    package static func == (left: Digest, right: Digest) -> Bool {
        left.algorithm == right.algorithm
            && left.storage.indices.allSatisfy { left.storage[$0] == right.storage[$0] }
    }
}
