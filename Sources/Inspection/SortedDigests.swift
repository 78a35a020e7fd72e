/// Digests of one length, in a sorted array: a look-up is a binary search.
///
/// An entry takes its own bytes and nothing else, and sorting needs next to no memory beside the
/// array: a list of a million entries has to fit where a small proxy does.
struct SortedDigests<let wordCount: Int>: Equatable, Sendable {
    /// The bytes of a digest as big-endian words, so that comparing them is comparing numbers.
    private struct Key: Comparable, Sendable {
        var words: InlineArray<wordCount, UInt32>

        /// Takes the first bytes for the key; the caller has seen that there are enough.
        init(_ bytes: [UInt8]) {
            words = InlineArray(repeating: 0)
            for index in bytes.indices.prefix(4 * wordCount) {
                words[index / 4] = words[index / 4] << 8 | UInt32(bytes[index])
            }
        }

        static func == (left: Key, right: Key) -> Bool {
            for index in left.words.indices where left.words[index] != right.words[index] {
                return false
            }
            return true
        }

        static func < (left: Key, right: Key) -> Bool {
            for index in left.words.indices where left.words[index] != right.words[index] {
                return left.words[index] < right.words[index]
            }
            return false
        }
    }

    private var keys: [Key] = []

    var isEmpty: Bool { keys.isEmpty }
    var count: Int { keys.count }

    /// Makes room for `count` entries more, without the doubling that appending does.
    mutating func reserve(_ count: Int) { keys.reserveCapacity(keys.count + count) }

    /// Adds a digest of `4 * wordCount` bytes.
    mutating func insert(_ bytes: [UInt8]) {
        precondition(bytes.count == 4 * wordCount, "a digest of another length is of another list")
        keys.append(Key(bytes))
    }

    /// Sorts what was inserted: into 256 runs in place, by the first byte, and then each run.
    ///
    /// The standard sort of the whole would take half as much memory again.
    mutating func sort() {
        var ends = InlineArray<256, Int>(repeating: 0)
        for key in keys { ends[Self.run(of: key)] += 1 }
        var next = InlineArray<256, Int>(repeating: 0)
        var total = 0
        for run in 0..<256 {
            next[run] = total
            total += ends[run]
            ends[run] = total
        }
        for run in 0..<256 {
            let start = run == 0 ? 0 : ends[run - 1]
            // Each swap puts one key where it stays, so there are no more swaps than keys.
            while next[run] < ends[run] {
                let home = Self.run(of: keys[next[run]])
                if home != run { keys.swapAt(next[run], next[home]) }
                next[home] += 1
            }
            keys[start..<ends[run]].sort()
        }
    }

    func contains(_ bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 * wordCount else { return false }
        let wanted = Key(bytes)
        var range = keys.startIndex..<keys.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if keys[middle] == wanted { return true }
            range =
                keys[middle] < wanted
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return false
    }

    private static func run(of key: Key) -> Int { Int(key.words[0] >> 24) }
}
