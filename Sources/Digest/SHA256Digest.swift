/// The 32 bytes that SHA-256 makes of a message.
package struct SHA256Digest: Equatable, Hashable, Sendable {
    /// The bytes as eight big-endian words; a vector, because it is compared and hashed as one.
    private let words: SIMD8<UInt32>

    init(words: SHA256State) {
        var vector = SIMD8<UInt32>()
        for index in words.indices { vector[index] = words[index] }
        self.words = vector
    }

    /// The digest that a peer claims, or nil if `bytes` are not 32.
    package init?(_ bytes: Span<UInt8>) {
        guard bytes.count == 32 else { return nil }
        var vector = SIMD8<UInt32>()
        for index in bytes.indices {
            vector[index / 4] = vector[index / 4] << 8 | UInt32(bytes[index])
        }
        words = vector
    }

    /// The bytes, first to last.
    package var bytes: InlineArray<32, UInt8> {
        InlineArray { index in
            UInt8(truncatingIfNeeded: words[index / 4] >> UInt32(24 - 8 * (index % 4)))
        }
    }

    /// The bytes as 64 hexadecimal digits, letters in lower case.
    package var hexadecimal: String { bytes.span.hexadecimal }
}
