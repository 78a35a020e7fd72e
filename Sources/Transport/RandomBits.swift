internal import CSystem
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

    /// Few enough system calls for a hundred requests to share one.
    private static let wordsAtOnce = 512

    package init() {}

    package mutating func next() -> UInt64 {
        if left == 0 { fetch() }
        left -= 1
        return words[left]
    }

    private mutating func fetch() {
        left = Self.wordsAtOnce
        #if canImport(Glibc)
        let (size, count) = unsafe words.withUnsafeMutableBytes { bytes in
            // SAFETY: the system writes at most as many bytes as the array has.
            (bytes.count, unsafe getrandom(bytes.baseAddress, bytes.count, 0))
        }
        // A signal may cut it short, and Swift then has its own ways.
        if count == size { return }
        #endif
        var system = SystemRandomNumberGenerator()
        for index in words.indices { words[index] = system.next() }
    }
}
