/// SHA-256 of a whole message, as FIPS 180-4 reads: the specification of the incremental one.
///
/// Shares nothing with it, not even the constants: they are computed from the primes.
func naiveSHA256(_ message: [UInt8]) -> String {
    var padded = message + [0x80]
    while padded.count % 64 != 56 { padded.append(0) }
    let bitCount = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bitCount >> (56 - 8 * $0)) }

    var state = firstPrimes(8).map { fractionOfRoot(2, of: $0) }
    let constants = firstPrimes(64).map { fractionOfRoot(3, of: $0) }
    for start in stride(from: 0, to: padded.count, by: 64) {
        var schedule = (0..<16).map { index in
            padded[start + index * 4..<start + index * 4 + 4].reduce(0) { $0 << 8 | UInt32($1) }
        }
        for t in 16..<64 {
            let (x, y) = (schedule[t - 15], schedule[t - 2])
            let sigma0 = rotate(x, 7) ^ rotate(x, 18) ^ x >> 3
            let sigma1 = rotate(y, 17) ^ rotate(y, 19) ^ y >> 10
            schedule.append(sigma1 &+ schedule[t - 7] &+ sigma0 &+ schedule[t - 16])
        }
        var v = state
        for t in 0..<64 {
            let sum1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)
            let choice = v[4] & v[5] | ~v[4] & v[6]
            let first = v[7] &+ sum1 &+ choice &+ constants[t] &+ schedule[t]
            let sum0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)
            let majority = v[0] & v[1] | v[0] & v[2] | v[1] & v[2]
            v = [first &+ sum0 &+ majority] + v.dropLast()
            v[4] = v[4] &+ first
        }
        state = zip(state, v).map { $0 &+ $1 }
    }
    return state.map { word in
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
}

private func rotate(_ x: UInt32, _ count: UInt32) -> UInt32 { x >> count | x << (32 - count) }

private func firstPrimes(_ count: Int) -> [UInt128] {
    var primes: [UInt128] = []
    var candidate: UInt128 = 2
    while primes.count < count {
        if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
        candidate += 1
    }
    return primes
}

/// The first 32 bits of the fractional part of a root of `prime`, by bisection.
private func fractionOfRoot(_ degree: Int, of prime: UInt128) -> UInt32 {
    func power(_ x: UInt128) -> UInt128 { (1..<degree).reduce(x) { product, _ in product * x } }
    let target = prime << (32 * degree)
    var (low, high): (UInt128, UInt128) = (0, 1 << 37)
    while high - low > 1 {
        let middle = (low + high) / 2
        if power(middle) <= target { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
}
