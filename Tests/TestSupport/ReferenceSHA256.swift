/// SHA-256 as FIPS 180-4 writes it, of a whole message: what no optimised code is judged by itself.
///
/// The constants are computed, not copied: the first 32 bits of the fractional parts of the cube
/// roots, and for the initial state of the square roots, of the first primes (§4.2.2, §5.3.3).
package func referenceSHA256(_ message: some Collection<UInt8>) -> String {
    let bitCount = UInt64(message.count) * 8
    var padded = Array(message) + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }
    var state = initialState
    for start in stride(from: 0, to: padded.count, by: 64) {
        fold(padded[start..<start + 64], into: &state)
    }
    return state.map { word in
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
}

private let primes = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }
private let roundConstants = primes.map { fraction(ofRoot: 3, of: $0) }
private let initialState = primes.prefix(8).map { fraction(ofRoot: 2, of: $0) }

/// The first 32 bits of the fraction of a root: the largest `x` with `x^degree <= n * 2^(32 degree)`.
private func fraction(ofRoot degree: Int, of number: Int) -> UInt32 {
    let target = UInt128(number) << UInt128(32 * degree)
    var root: UInt128 = 0
    for bit in (0..<37).reversed() {
        let candidate = root | 1 << UInt128(bit)
        let power = (0..<degree).reduce(UInt128(1)) { power, _ in power * candidate }
        if power <= target { root = candidate }
    }
    return UInt32(truncatingIfNeeded: root)
}

private func fold(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
        block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
        let (old, recent) = (words[index - 15], words[index - 2])
        let first = rotate(old, 7) ^ rotate(old, 18) ^ old >> 3
        let second = rotate(recent, 17) ^ rotate(recent, 19) ^ recent >> 10
        words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
    }
    var now = state
    for (constant, word) in zip(roundConstants, words) {
        let sum = rotate(now[4], 6) ^ rotate(now[4], 11) ^ rotate(now[4], 25)
        let choice = now[4] & now[5] ^ ~now[4] & now[6]
        let first = now[7] &+ sum &+ choice &+ constant &+ word
        let other = rotate(now[0], 2) ^ rotate(now[0], 13) ^ rotate(now[0], 22)
        let majority = now[0] & now[1] ^ now[0] & now[2] ^ now[1] & now[2]
        now = [first &+ other &+ majority] + now[0..<3] + [now[3] &+ first] + now[4..<7]
    }
    for index in state.indices { state[index] &+= now[index] }
}

private func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
}
