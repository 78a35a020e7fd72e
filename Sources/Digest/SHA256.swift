/// SHA-256 of a message that arrives in pieces (FIPS 180-4 §6.2).
///
///     padded message = message, 0x80, zero bytes up to 56 modulo 64, length in bits as 8 bytes
///
/// Whole blocks are hashed where they lie in the caller's span; only the bytes of a block that a
/// piece leaves unfinished are copied. The state is held inline, so hashing never allocates.
///
/// The standard defines the digest for messages below 2^61 bytes. Nothing here traps beyond that:
/// the length is counted modulo 2^64 bytes, and written modulo 2^64 bits.
package struct SHA256: Sendable {
    let compression: SHA256Compression
    var state: SHA256State

    /// The first bytes of the block in progress: `pendingCount` of them, the rest is stale.
    private var pending = InlineArray<64, UInt8>(repeating: 0)

    /// Bytes of the message so far, modulo 2^64.
    var byteCount: UInt64 = 0

    /// Starts an empty message.
    ///
    /// - Parameter compression: How blocks are hashed. The digest does not depend on it.
    package init(compression: SHA256Compression = .fastest) {
        self.compression = compression
        state = SHA256Compression.initialState
    }

    /// How many bytes of the block in progress are known: always fewer than 64.
    var pendingCount: Int { Int(byteCount % 64) }

    /// Appends `bytes` to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        let start = fillPending(from: bytes)
        let wholeBlocks = (bytes.count - start) / 64
        let end = start + wholeBlocks * 64
        compression.fold(bytes.extracting(start..<end), into: &state)

        for index in end..<bytes.count { pending[index - end] = bytes[index] }
        byteCount &+= UInt64(bytes.count)  // wraps as the type's comment says
    }

    /// Ends the message and returns its digest; the next `update` begins a new message.
    package mutating func finish() -> SHA256Digest {
        let bitCount = byteCount << 3
        var count = pendingCount
        pending[count] = 0x80
        count += 1

        // The length takes the last 8 bytes of a block: the next one, if this one has no room.
        if count > 56 {
            clearPending(count..<64)
            compression.fold(pending.span, into: &state)
            count = 0
        }
        clearPending(count..<56)
        for index in 0..<8 {
            pending[56 + index] = UInt8(truncatingIfNeeded: bitCount >> UInt64(56 - 8 * index))
        }
        compression.fold(pending.span, into: &state)

        let digest = SHA256Digest(words: state)
        reset()
        return digest
    }

    /// Forgets the message so far and starts an empty one.
    package mutating func reset() {
        state = SHA256Compression.initialState
        byteCount = 0
    }

    /// Completes the block in progress, if there is one, with the first of `bytes`.
    ///
    /// - Returns: How many of `bytes` are used up. Fewer than complete the block only if there are
    ///   no more; `byteCount` does not count them yet.
    private mutating func fillPending(from bytes: Span<UInt8>) -> Int {
        let known = pendingCount
        guard known > 0 else { return 0 }
        let used = min(64 - known, bytes.count)
        for index in 0..<used { pending[known + index] = bytes[index] }
        if known + used == 64 { compression.fold(pending.span, into: &state) }
        return used
    }

    private mutating func clearPending(_ range: Range<Int>) {
        for index in range { pending[index] = 0 }
    }
}
