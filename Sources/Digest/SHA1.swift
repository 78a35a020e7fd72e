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
        var schedule = Schedule(block)
        var working = Working(state)
        // One loop for each of the four functions: a choice inside would be made eighty times.
        for index in 0..<20 {
            let mixed = working.b & working.c | ~working.b & working.d
            working.turn(mixed &+ 0x5A82_7999 &+ schedule.word(index))
        }
        for index in 20..<40 {
            let mixed = working.b ^ working.c ^ working.d
            working.turn(mixed &+ 0x6ED9_EBA1 &+ schedule.word(index))
        }
        for index in 40..<60 {
            let mixed = working.b & working.c | working.d & (working.b | working.c)
            working.turn(mixed &+ 0x8F1B_BCDC &+ schedule.word(index))
        }
        for index in 60..<80 {
            let mixed = working.b ^ working.c ^ working.d
            working.turn(mixed &+ 0xCA62_C1D6 &+ schedule.word(index))
        }
        state[0] &+= working.a
        state[1] &+= working.b
        state[2] &+= working.c
        state[3] &+= working.d
        state[4] &+= working.e
    }

    /// The five working variables; sums are modulo 2^32 by the function's definition.
    private struct Working {
        var a, b, c, d, e: UInt32

        init(_ state: InlineArray<5, UInt32>) {
            (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        }

        mutating func turn(_ sum: UInt32) {
            let next = a.rotated(left: 5) &+ e &+ sum
            (e, d, c, b, a) = (d, c, b.rotated(left: 30), a, next)
        }
    }

    /// The message schedule, of which only the last sixteen words are ever asked for again.
    private struct Schedule {
        private var words = InlineArray<16, UInt32>(repeating: 0)

        init(_ block: Span<UInt8>) {
            for index in 0..<16 {
                words[index] = block.word32(at: index * 4, littleEndian: false)
            }
        }

        /// Word `index`; to be asked for in order.
        mutating func word(_ index: Int) -> UInt32 {
            guard index >= 16 else { return words[index & 15] }
            let far = words[(index + 2) & 15] ^ words[index & 15]
            let near = words[(index + 13) & 15] ^ words[(index + 8) & 15]
            let word = (near ^ far).rotated(left: 1)
            words[index & 15] = word
            return word
        }
    }

    package var digest: [UInt8] {
        state.indices.flatMap { state[$0].bytes(littleEndian: false) }
    }
}
