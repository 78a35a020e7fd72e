import Digest
import Inspection
import TestSupport
import Testing

@Suite struct HashListTests {
    /// Each length, and what a digest of it is made with.
    static let kinds: [(Int, DigestAlgorithm)] = [(16, .md5), (20, .sha1), (32, .sha256)]

    /// Entries that differ everywhere, and entries that differ in their last byte alone.
    @Test(arguments: kinds, [0, 1, 2, 3, 255, 256, 5_000])
    func aListHasWhatASetHas(_ kind: (size: Int, algorithm: DigestAlgorithm), count: Int) {
        var random = SplitMix64(seed: UInt64(count + kind.size))
        for spread in [255, 3, 0] as [UInt8] {
            var list = HashList()
            var naive = Set<[UInt8]>()
            func entry() -> [UInt8] {
                (0..<kind.size).map { index in
                    .random(in: 0...(index == kind.size - 1 ? 255 : spread), using: &random)
                }
            }
            for _ in 0..<count {
                let entry = entry()
                naive.insert(entry)
                let isTaken = list.insert(entry)
                #expect(isTaken)
            }
            list.seal()
            #expect(list.count == count)
            #expect(list.algorithms == (count == 0 ? [] : [kind.algorithm]))
            #expect(naive.allSatisfy { list.contains(Digest(kind.algorithm, $0)) })
            for _ in 0..<1_000 {
                let other = entry()
                let isListed = list.contains(Digest(kind.algorithm, other))
                #expect(isListed == naive.contains(other))
            }
        }
    }

    @Test func lengthsAreListsOfTheirOwn() {
        var list = HashList()
        list.reserve(3, ofSize: 32)
        for (size, _) in Self.kinds {
            let isTaken = list.insert([UInt8](repeating: 7, count: size))
            #expect(isTaken)
        }
        for size in 0...65 where ![16, 20, 32].contains(size) {
            let isTaken = list.insert([UInt8](repeating: 7, count: size))
            #expect(!isTaken)
        }
        list.seal()
        #expect(list.count == 3)
        #expect(list.algorithms == [.sha256, .sha1, .md5])
        for algorithm in DigestAlgorithm.allCases {
            let isListable = [.sha256, .sha1, .md5].contains(algorithm)
            let digest = Digest(algorithm, [UInt8](repeating: 7, count: algorithm.size))
            #expect(list.contains(digest) == isListable)
        }
    }

    @Test func aListIsSealedBeforeItIsAsked() async {
        await #expect(processExitsWith: .failure) {
            var list = HashList()
            _ = list.insert([UInt8](repeating: 1, count: 16))
            _ = list.contains(Digest(.md5, [UInt8](repeating: 1, count: 16)))
        }
    }
}
