import Digest
import TestSupport
import Testing

/// Published vectors, padding around every block border, and every cut.
@Suite struct DigestSetTests {
    /// RFC 1321, FIPS 180-4 and the check values of the CRC catalogue.
    static let vectors: [(DigestAlgorithm, String, String)] = [
        (.md5, "", "d41d8cd98f00b204e9800998ecf8427e"),
        (.md5, "abc", "900150983cd24fb0d6963f7d28e17f72"),
        (
            .md5,
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
        (.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
        (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (
            .sha1,
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
        ),
        (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            .sha512,
            "abc",
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
        (
            .sha512,
            "",
            "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
                + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
        ),
        (.crc32, "123456789", "cbf43926"),
        (.crc32c, "123456789", "e3069283"),
    ]

    @Test(arguments: vectors.indices)
    func vectorsAreReproduced(_ index: Int) {
        let (algorithm, message, expected) = Self.vectors[index]
        for cut in cuts(of: Array(message.utf8)) {
            var set = DigestSet([algorithm])
            for piece in cut { set.update(piece.span) }
            #expect(set.finish().map(\.hexadecimal) == [expected])
        }
    }

    /// Lengths around the borders of 64- and 128-byte blocks, hashed whole and in odd pieces.
    @Test(arguments: [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 255, 256, 1000])
    func piecesGiveTheDigestOfTheWhole(count: Int) {
        var random = SplitMix64(seed: UInt64(count))
        let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        var whole = DigestSet(DigestAlgorithm.allCases)
        whole.update(message.span)
        let expected = whole.finish()
        #expect(expected.map(\.algorithm) == DigestAlgorithm.allCases)
        #expect(expected.allSatisfy { $0.bytes.count == $0.algorithm.size })
        var pieces = DigestSet(DigestAlgorithm.allCases)
        // What was begun and abandoned leaves nothing behind.
        pieces.update(message.span)
        pieces.reset()
        var rest = message[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...130, using: &random))
            pieces.update(piece.span)
            rest = rest.dropFirst(piece.count)
        }
        #expect(pieces.finish() == expected)
    }

    @Test func onlyWhatIsAskedForIsMade() {
        var set = DigestSet([.crc32c, .sha1])
        set.update([1, 2, 3].span)
        #expect(set.finish().map(\.algorithm) == [.sha1, .crc32c])
        var none = DigestSet([])
        none.update([1].span)
        #expect(none.finish().isEmpty)
    }
}
