internal import CKernels

/// The eight words of a SHA-256 state, a to h.
typealias SHA256State = InlineArray<8, UInt32>

/// The compression function of SHA-256 (FIPS 180-4 §6.2.2), in one of its implementations.
///
/// All implementations give the same result. The kernel uses the processor's own instructions; a
/// value that stands for it exists only where the processor has them.
package struct SHA256Compression: Equatable, Sendable {
    private let usesKernel: Bool

    /// Plain Swift, for every processor.
    package static let portable = SHA256Compression(usesKernel: false)

    /// The kernel where the processor has the instructions, and plain Swift elsewhere.
    package static let fastest = SHA256Compression(usesKernel: weir_sha256_has_kernel() != 0)

    private init(usesKernel: Bool) {
        self.usesKernel = usesKernel
    }

    /// FIPS 180-4 §5.3.3: the fractional parts of the square roots of the first eight primes.
    static var initialState: SHA256State {
        [
            0x6A09_E667, 0xBB67_AE85, 0x3C6E_F372, 0xA54F_F53A,
            0x510E_527F, 0x9B05_688C, 0x1F83_D9AB, 0x5BE0_CD19,
        ]
    }

    /// Folds `blocks`, a whole number of 64-byte blocks, into `state`.
    func fold(_ blocks: Span<UInt8>, into state: inout SHA256State) {
        precondition(blocks.count % 64 == 0, "only whole blocks can be folded")
        if usesKernel {
            foldWithKernel(blocks, into: &state)
        } else {
            foldPortably(blocks, into: &state)
        }
    }

    /// Folds as many blocks into each of two states.
    func fold(
        _ blocks: Span<UInt8>,
        into state: inout SHA256State,
        and others: Span<UInt8>,
        into other: inout SHA256State
    ) {
        precondition(blocks.count % 64 == 0, "only whole blocks can be folded")
        precondition(blocks.count == others.count, "two are folded at once as far as both go")
        guard usesKernel else {
            foldPortably(blocks, into: &state)
            return foldPortably(others, into: &other)
        }
        var words = state.mutableSpan
        var otherWords = other.mutableSpan
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe otherWords.withUnsafeMutableBufferPointer { otherWords in
                unsafe blocks.withUnsafeBufferPointer { bytes in
                    unsafe others.withUnsafeBufferPointer { otherBytes in
                        guard let words = words.baseAddress, let data = bytes.baseAddress,
                            let otherWords = otherWords.baseAddress,
                            let otherData = otherBytes.baseAddress
                        else { return }
                        // SAFETY: as in `foldWithKernel`, for each of two that do not overlap.
                        unsafe weir_sha256_blocks_of_two(
                            words,
                            data,
                            otherWords,
                            otherData,
                            bytes.count / 64
                        )
                    }
                }
            }
        }
    }

    private func foldWithKernel(_ blocks: Span<UInt8>, into state: inout SHA256State) {
        var words = state.mutableSpan
        unsafe words.withUnsafeMutableBufferPointer { words in
            unsafe blocks.withUnsafeBufferPointer { bytes in
                guard let words = words.baseAddress, let data = bytes.baseAddress else { return }
                // SAFETY: the kernel writes the eight words of the state and reads 64 bytes for
                // each block, all inside `bytes`; it keeps neither pointer. The instructions it
                // needs are there, because `usesKernel` is.
                unsafe weir_sha256_blocks(words, data, bytes.count / 64)
            }
        }
    }
}
