#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Random bits of the system, fetched for some dozens of uses at a time.
///
/// Names of exchanges and traces take 40 bytes a request; `SystemRandomNumberGenerator` makes a
/// system call for every eight.
package struct RandomBits: RandomNumberGenerator {
    private var words: [UInt64] = Array(repeating: 0, count: Self.wordsAtOnce)

    /// How many of the words, from the first on, were not handed out yet.
    private var left = 0

    /// What the system gives at once, all or nothing: 256 bytes.
    private static let wordsAtOnce = 32

    package init() {}

    package mutating func next() -> UInt64 {
        if left == 0 { fetch() }
        left -= 1
        return words[left]
    }

    private mutating func fetch() {
        left = Self.wordsAtOnce
        let status = unsafe words.withUnsafeMutableBytes { bytes in
            // SAFETY: the system writes as many bytes as the array has.
            unsafe getentropy(bytes.baseAddress, bytes.count)
        }
        if status == 0 { return }
        // Never seen; what Swift itself asks has further ways, and traps rather than guess.
        var system = SystemRandomNumberGenerator()
        for index in words.indices { words[index] = system.next() }
    }
}
