/// SHA-1 (FIPS 180-4 §6.1): for the checksums of others, not for trust.
package typealias SHA1 = PaddedHash<SHA1Function>

package struct SHA1Function: CompressionFunction {
    package static var blockSize: Int { 64 }
    package static var isLittleEndian: Bool { false }

    private var state: InlineArray<5, UInt32> = [
        0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0,
    ]

    package init() {}

    package mutating func fold(_ block: Span<UInt8>) {
        var schedule = InlineArray<80, UInt32>(repeating: 0)
        for index in 0..<16 {
            schedule[index] = block.word32(at: index * 4, littleEndian: false)
        }
        for index in 16..<80 {
            let mixed = schedule[index - 3] ^ schedule[index - 8]
            schedule[index] = (mixed ^ schedule[index - 14] ^ schedule[index - 16]).rotated(left: 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        // Sums of the function are modulo 2^32 by its definition.
        for index in 0..<80 {
            let mixed: UInt32
            switch index {
            case 0..<20: mixed = (b & c | ~b & d) &+ 0x5A82_7999
            case 20..<40: mixed = (b ^ c ^ d) &+ 0x6ED9_EBA1
            case 40..<60: mixed = (b & c | b & d | c & d) &+ 0x8F1B_BCDC
            default: mixed = (b ^ c ^ d) &+ 0xCA62_C1D6
            }
            let next = a.rotated(left: 5) &+ mixed &+ e &+ schedule[index]
            (e, d, c, b, a) = (d, c, b.rotated(left: 30), a, next)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    package var digest: [UInt8] {
        state.indices.flatMap { state[$0].bytes(littleEndian: false) }
    }
}
