/// MD5 (RFC 1321): for the checksums of others, not for trust.
package typealias MD5 = PaddedHash<MD5Function>

package struct MD5Function: CompressionFunction {
    package static var blockSize: Int { 64 }
    package static var isLittleEndian: Bool { true }

    private var state: InlineArray<4, UInt32> = [
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476,
    ]

    package init() {}

    package mutating func fold(_ block: Span<UInt8>) {
        var words = InlineArray<16, UInt32>(repeating: 0)
        for index in 0..<16 { words[index] = block.word32(at: index * 4, littleEndian: true) }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        // Four steps a turn, so that the variables trade places by name, and turns are constants.
        for step in 0..<4 {
            let i = 4 * step
            a = Self.step(a, b, (b & c | ~b & d) &+ words[i], i, 7)
            d = Self.step(d, a, (a & b | ~a & c) &+ words[i + 1], i + 1, 12)
            c = Self.step(c, d, (d & a | ~d & b) &+ words[i + 2], i + 2, 17)
            b = Self.step(b, c, (c & d | ~c & a) &+ words[i + 3], i + 3, 22)
        }
        for step in 4..<8 {
            let i = 4 * step
            a = Self.step(a, b, (d & b | ~d & c) &+ words[(5 * i + 1) & 15], i, 5)
            d = Self.step(d, a, (c & a | ~c & b) &+ words[(5 * i + 6) & 15], i + 1, 9)
            c = Self.step(c, d, (b & d | ~b & a) &+ words[(5 * i + 11) & 15], i + 2, 14)
            b = Self.step(b, c, (a & c | ~a & d) &+ words[(5 * i + 16) & 15], i + 3, 20)
        }
        for step in 8..<12 {
            let i = 4 * step
            a = Self.step(a, b, (b ^ c ^ d) &+ words[(3 * i + 5) & 15], i, 4)
            d = Self.step(d, a, (a ^ b ^ c) &+ words[(3 * i + 8) & 15], i + 1, 11)
            c = Self.step(c, d, (d ^ a ^ b) &+ words[(3 * i + 11) & 15], i + 2, 16)
            b = Self.step(b, c, (c ^ d ^ a) &+ words[(3 * i + 14) & 15], i + 3, 23)
        }
        for step in 12..<16 {
            let i = 4 * step
            a = Self.step(a, b, (c ^ (b | ~d)) &+ words[(7 * i) & 15], i, 6)
            d = Self.step(d, a, (b ^ (a | ~c)) &+ words[(7 * i + 7) & 15], i + 1, 10)
            c = Self.step(c, d, (a ^ (d | ~b)) &+ words[(7 * i + 14) & 15], i + 2, 15)
            b = Self.step(b, c, (d ^ (c | ~a)) &+ words[(7 * i + 21) & 15], i + 3, 21)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
    }

    /// One of the sixty-four steps; sums are modulo 2^32 by the function's definition.
    private static func step(
        _ old: UInt32,
        _ next: UInt32,
        _ mixed: UInt32,
        _ index: Int,
        _ turns: Int
    ) -> UInt32 {
        next &+ (old &+ mixed &+ sines[index]).rotated(left: turns)
    }

    package var digest: [UInt8] {
        state.indices.flatMap { state[$0].bytes(littleEndian: true) }
    }

    /// The integer parts of 2^32 × |sin(i)|, i from 1 to 64.
    private static let sines: InlineArray<64, UInt32> = [
        0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A,
        0xA830_4613, 0xFD46_9501, 0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE,
        0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821, 0xF61E_2562, 0xC040_B340,
        0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
        0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8,
        0x676F_02D9, 0x8D2A_4C8A, 0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C,
        0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70, 0x289B_7EC6, 0xEAA1_27FA,
        0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
        0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92,
        0xFFEF_F47D, 0x8584_5DD1, 0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1,
        0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
    ]
}
