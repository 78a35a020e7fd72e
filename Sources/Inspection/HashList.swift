package import Digest

/// The hashes of files a route refuses, and of the only ones it accepts.
///
/// One object, however often a policy is copied; two are equal only if they are the same.
package final class HashLists: Equatable, Sendable {
    package let deny: HashList

    /// Empty where any file is accepted that is not denied.
    package let allow: HashList

    package init(deny: HashList, allow: HashList) {
        self.deny = deny
        self.allow = allow
    }

    package static func == (left: HashLists, right: HashLists) -> Bool { left === right }
}

/// Digests of files that are known, to be refused or to be the only ones accepted.
///
/// Fixed-width entries in sorted arrays: a million SHA-256 take 32 MB, and a look-up is twenty
/// comparisons.
package struct HashList: Equatable, Sendable {
    /// A digest of up to 32 bytes as four words, highest first; shorter ones end in zeros.
    private struct Key: Comparable, Sendable {
        var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        init(_ bytes: [UInt8]) {
            for (index, byte) in bytes.prefix(32).enumerated() {
                let shifted = UInt64(byte) << UInt64(56 - 8 * (index % 8))
                switch index / 8 {
                case 0: words.0 |= shifted
                case 1: words.1 |= shifted
                case 2: words.2 |= shifted
                default: words.3 |= shifted
                }
            }
        }

        static func == (left: Key, right: Key) -> Bool { left.words == right.words }
        static func < (left: Key, right: Key) -> Bool { left.words < right.words }
    }

    private var md5: [Key] = []
    private var sha1: [Key] = []
    private var sha256: [Key] = []
    private var isSorted = true

    package init() {}

    package var isEmpty: Bool { count == 0 }
    package var count: Int { md5.count + sha1.count + sha256.count }

    /// The algorithms that have to be computed to ask this list.
    package var algorithms: [DigestAlgorithm] {
        var algorithms: [DigestAlgorithm] = []
        if !sha256.isEmpty { algorithms.append(.sha256) }
        if !sha1.isEmpty { algorithms.append(.sha1) }
        if !md5.isEmpty { algorithms.append(.md5) }
        return algorithms
    }

    /// Makes room for about `count` entries more.
    package mutating func reserve(_ count: Int) { sha256.reserveCapacity(sha256.count + count) }

    /// Adds a digest, whose length says how it was made.
    ///
    /// False if no digest has that length.
    package mutating func insert(_ bytes: [UInt8]) -> Bool {
        isSorted = false
        switch bytes.count {
        case 16: md5.append(Key(bytes))
        case 20: sha1.append(Key(bytes))
        case 32: sha256.append(Key(bytes))
        default: return false
        }
        return true
    }

    /// Sorts what was inserted; to be called once, before the list is asked.
    package mutating func seal() {
        md5.sort()
        sha1.sort()
        sha256.sort()
        isSorted = true
    }

    package func contains(_ digest: Digest) -> Bool {
        precondition(isSorted, "a list is sealed before it is asked")
        switch digest.algorithm {
        case .md5: return Self.find(digest, in: md5)
        case .sha1: return Self.find(digest, in: sha1)
        case .sha256: return Self.find(digest, in: sha256)
        case .sha512, .crc32, .crc32c: return false
        }
    }

    private static func find(_ digest: Digest, in keys: [Key]) -> Bool {
        let wanted = Key(digest.bytes)
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
}
