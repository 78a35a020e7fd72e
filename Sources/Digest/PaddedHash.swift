/// The part of a hash function that folds whole blocks into a state.
///
/// MD5 and the SHA family differ in this; padding and buffering are the same, and `PaddedHash`'s.
package protocol CompressionFunction: Sendable {
    /// Bytes of a block: 64 or 128.
    static var blockSize: Int { get }

    /// Whether words, and the length at the end, are written with their lowest byte first.
    static var isLittleEndian: Bool { get }

    init()

    /// Folds one block into the state.
    mutating func fold(_ block: Span<UInt8>)

    /// The state as bytes: the digest, once the padding is folded in.
    var digest: [UInt8] { get }
}

/// A hash of a message that arrives in pieces, by one of the older or wider functions.
///
///     padded message = message, 0x80, zero bytes, length in bits as the last eighth of a block
///
/// The length field of a 128-byte block has 16 bytes, of which the upper 8 stay zero: no message
/// here has 2^64 bits. It is never shorter: where it has no room, it takes the next block. Whole
/// blocks are folded where they lie; the state is held inline.
package struct PaddedHash<Function: CompressionFunction>: Sendable {
    private var function = Function()
    private var pending = InlineArray<128, UInt8>(repeating: 0)
    private var pendingCount = 0

    /// Bytes of the message so far, modulo 2^64.
    private var byteCount: UInt64 = 0

    package init() {}

    /// Appends `bytes` to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        let size = Function.blockSize
        byteCount &+= UInt64(bytes.count)  // modulo 2^64, as its comment says
        var index = 0
        if pendingCount > 0 {
            while index < bytes.count, pendingCount < size {
                pending[pendingCount] = bytes[index]
                pendingCount += 1
                index += 1
            }
            guard pendingCount == size else { return }
            foldPending()
        }
        while bytes.count - index >= size {
            function.fold(bytes.extracting(index..<index + size))
            index += size
        }
        while index < bytes.count {
            pending[pendingCount] = bytes[index]
            pendingCount += 1
            index += 1
        }
    }

    /// Ends the message and returns its digest; the next `update` begins a new message.
    package mutating func finish() -> [UInt8] {
        let bitCount = byteCount << 3
        let size = Function.blockSize
        append(0x80)
        while pendingCount != size - size / 8 { append(0) }
        while pendingCount != size - 8 { append(0) }
        for index in 0..<8 {
            let shift = Function.isLittleEndian ? 8 * index : 56 - 8 * index
            append(UInt8(truncatingIfNeeded: bitCount >> UInt64(shift)))
        }
        let digest = function.digest
        reset()
        return digest
    }

    package mutating func reset() {
        function = Function()
        pendingCount = 0
        byteCount = 0
    }

    private mutating func append(_ byte: UInt8) {
        pending[pendingCount] = byte
        pendingCount += 1
        if pendingCount == Function.blockSize { foldPending() }
    }

    private mutating func foldPending() {
        function.fold(pending.span.extracting(0..<Function.blockSize))
        pendingCount = 0
    }
}

extension Span<UInt8> {
    /// The four bytes from `index` on as one number.
    func word32(at index: Int, littleEndian: Bool) -> UInt32 {
        let bytes = (
            UInt32(self[index]), UInt32(self[index + 1]), UInt32(self[index + 2]),
            UInt32(self[index + 3])
        )
        return littleEndian
            ? bytes.0 | bytes.1 << 8 | bytes.2 << 16 | bytes.3 << 24
            : bytes.0 << 24 | bytes.1 << 16 | bytes.2 << 8 | bytes.3
    }

    /// The eight bytes from `index` on as one number, highest first.
    func word64(at index: Int) -> UInt64 {
        UInt64(word32(at: index, littleEndian: false)) << 32
            | UInt64(word32(at: index + 4, littleEndian: false))
    }
}

extension FixedWidthInteger {
    func rotated(left count: Int) -> Self { self << count | self >> (Self.bitWidth - count) }

    /// These bytes, in the order asked for.
    func bytes(littleEndian: Bool) -> [UInt8] {
        (0..<Self.bitWidth / 8).map { index in
            let shift = littleEndian ? 8 * index : Self.bitWidth - 8 - 8 * index
            return UInt8(truncatingIfNeeded: self >> shift)
        }
    }
}
