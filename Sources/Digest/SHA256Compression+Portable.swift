extension SHA256Compression {
    /// The compression function as FIPS 180-4 §6.2.2 writes it down.
    ///
    /// Every addition is modulo 2^32 by definition: that is what `&+` says throughout. The message
    /// schedule is a window of sixteen words; word t takes the place of word t - 16.
    func foldPortably(_ blocks: Span<UInt8>, into state: inout SHA256State) {
        var start = 0
        while start < blocks.count {
            var schedule = firstWords(of: blocks, at: start)
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            var (e, f, g, h) = (state[4], state[5], state[6], state[7])
            for t in 0..<64 {
                if t >= 16 {
                    schedule[t & 15] &+=
                        smallSigma1(schedule[(t - 2) & 15]) &+ schedule[(t - 7) & 15]
                        &+ smallSigma0(schedule[(t - 15) & 15])
                }
                let addend = roundConstants[t] &+ schedule[t & 15]
                let first = h &+ bigSigma1(e) &+ choice(e, f, g) &+ addend
                let second = bigSigma0(a) &+ majority(a, b, c)
                (h, g, f, e) = (g, f, e, d &+ first)
                (d, c, b, a) = (c, b, a, first &+ second)
            }
            let folded: SHA256State = [a, b, c, d, e, f, g, h]
            for index in folded.indices { state[index] &+= folded[index] }
            start += 64
        }
    }
}

/// The block at `start` as sixteen big-endian words.
private func firstWords(of blocks: Span<UInt8>, at start: Int) -> InlineArray<16, UInt32> {
    InlineArray { index in
        let offset = start + index * 4
        return UInt32(blocks[offset]) << 24 | UInt32(blocks[offset + 1]) << 16
            | UInt32(blocks[offset + 2]) << 8 | UInt32(blocks[offset + 3])
    }
}

// FIPS 180-4 §4.1.2, the six functions by their names.

private func choice(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 { (x & y) ^ (~x & z) }

private func majority(_ x: UInt32, _ y: UInt32, _ z: UInt32) -> UInt32 {
    (x & y) ^ (x & z) ^ (y & z)
}

private func bigSigma0(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 2) ^ rotatedRight(x, 13) ^ rotatedRight(x, 22)
}

private func bigSigma1(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 6) ^ rotatedRight(x, 11) ^ rotatedRight(x, 25)
}

private func smallSigma0(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 7) ^ rotatedRight(x, 18) ^ x >> 3
}

private func smallSigma1(_ x: UInt32) -> UInt32 {
    rotatedRight(x, 17) ^ rotatedRight(x, 19) ^ x >> 10
}

private func rotatedRight(_ x: UInt32, _ count: UInt32) -> UInt32 {
    x >> count | x << (32 - count)
}

/// FIPS 180-4 §4.2.2: the fractional parts of the cube roots of the first 64 primes.
private let roundConstants: InlineArray<64, UInt32> = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1, 0x923F_82A4,
    0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3, 0x72BE_5D74, 0x80DE_B1FE,
    0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786, 0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F,
    0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA, 0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7,
    0xC6E0_0BF3, 0xD5A7_9147, 0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC,
    0x5338_0D13, 0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070, 0x19A4_C116,
    0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A, 0x5B9C_CA4F, 0x682E_6FF3,
    0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208, 0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7,
    0xC671_78F2,
]
