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
/// A million SHA-256 take 32 MB, and a look-up is twenty comparisons.
package struct HashList: Equatable, Sendable {
    private var md5 = SortedDigests<4>()
    private var sha1 = SortedDigests<5>()
    private var sha256 = SortedDigests<8>()
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

    /// Makes room for about `count` more digests of `size` bytes.
    package mutating func reserve(_ count: Int, ofSize size: Int) {
        switch size {
        case 16: md5.reserve(count)
        case 20: sha1.reserve(count)
        case 32: sha256.reserve(count)
        default: break
        }
    }

    /// Adds a digest, whose length says how it was made.
    ///
    /// False if no digest has that length.
    package mutating func insert(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 16: md5.insert(bytes)
        case 20: sha1.insert(bytes)
        case 32: sha256.insert(bytes)
        default: return false
        }
        isSorted = false
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
        case .md5: return md5.contains(digest.bytes)
        case .sha1: return sha1.contains(digest.bytes)
        case .sha256: return sha256.contains(digest.bytes)
        case .sha512, .crc32, .crc32c: return false
        }
    }
}
