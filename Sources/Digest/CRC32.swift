internal import CKernels

/// The two cyclic redundancy checks that upload APIs ask for, over bits with the lowest first.
///
/// `iso` is the check of zip, gzip and PNG; `castagnoli` (RFC 3720 §B.4) that of S3 and iSCSI, for
/// which processors have an instruction. Without it, or for `iso`, tables are used.
package struct CRC32: Sendable {
    package enum Polynomial: Sendable {
        case iso
        case castagnoli
    }

    private let table: [UInt32]
    private let usesKernel: Bool
    private var register: UInt32 = .max

    /// Starts an empty message.
    ///
    /// - Parameters:
    ///   - polynomial: Which of the checks this is.
    ///   - isPortable: Keeps off the processor's instruction. The check does not depend on it.
    package init(_ polynomial: Polynomial, isPortable: Bool = false) {
        table = polynomial == .iso ? Self.isoTable : Self.castagnoliTable
        usesKernel = polynomial == .castagnoli && !isPortable && Self.hasKernel
    }

    package mutating func update(_ bytes: Span<UInt8>) {
        register = usesKernel ? registerByKernel(after: bytes) : registerByTable(after: bytes)
    }

    private func registerByKernel(after bytes: Span<UInt8>) -> UInt32 {
        unsafe bytes.withUnsafeBufferPointer { buffer in
            guard let data = buffer.baseAddress else { return register }
            // SAFETY: the kernel reads `count` bytes, all inside the buffer, and keeps no pointer.
            // The instruction it needs is there, because `usesKernel` is.
            return unsafe weir_crc32c(register, data, buffer.count)
        }
    }

    private func registerByTable(after bytes: Span<UInt8>) -> UInt32 {
        var register = register
        var index = 0
        // Eight bytes a step: each table stands for a byte that is so many places further on.
        while bytes.count - index >= 8 {
            let low = register ^ bytes.word32(at: index, littleEndian: true)
            let high = bytes.word32(at: index + 4, littleEndian: true)
            register = look(7, low) ^ look(6, low >> 8) ^ look(5, low >> 16) ^ look(4, low >> 24)
            register ^= look(3, high) ^ look(2, high >> 8) ^ look(1, high >> 16)
            register ^= look(0, high >> 24)
            index += 8
        }
        while index < bytes.count {
            register = register >> 8 ^ look(0, register ^ UInt32(bytes[index]))
            index += 1
        }
        return register
    }

    /// Ends the message and returns its check, highest byte first; the next begins a new message.
    package mutating func finish() -> [UInt8] {
        let check = ~register
        reset()
        return check.bytes(littleEndian: false)
    }

    package mutating func reset() { register = .max }

    private func look(_ distance: Int, _ word: UInt32) -> UInt32 {
        table[distance << 8 | Int(word & 0xFF)]
    }

    private static let hasKernel = weir_crc32c_has_kernel() != 0
    private static let isoTable = tables(of: 0xEDB8_8320)
    private static let castagnoliTable = tables(of: 0x82F6_3B78)

    /// Eight tables of 256 entries, one behind the other.
    private static func tables(of reversedPolynomial: UInt32) -> [UInt32] {
        var tables = [UInt32](repeating: 0, count: 8 * 256)
        for byte in 0..<256 {
            var entry = UInt32(byte)
            for _ in 0..<8 { entry = entry >> 1 ^ (entry & 1 == 1 ? reversedPolynomial : 0) }
            tables[byte] = entry
        }
        for place in 256..<tables.count {
            let before = tables[place - 256]
            tables[place] = before >> 8 ^ tables[Int(before & 0xFF)]
        }
        return tables
    }
}
