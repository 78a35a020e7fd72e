import Digest
import TestSupport
import Testing

@Suite struct SHA256Tests {
    /// One row of the table: a message, and its digest from the standard.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let message: String
        let digest: String

        init(_ description: String, _ message: String, _ digest: String) {
            testDescription = description
            self.message = message
            self.digest = digest
        }
    }

    // The examples that NIST publishes for FIPS 180-4.
    static let rows = [
        Row("empty", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        Row("24 bits", "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        Row(
            "448 bits",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        Row(
            "896 bits",
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]

    static let compressions: [SHA256Compression] = [.fastest, .portable]

    @Test(arguments: rows, compressions)
    func everyCutGivesTheDigestOfTheStandard(_ row: Row, _ compression: SHA256Compression) {
        for cut in cuts(of: Array(row.message.utf8)) {
            #expect(digest(of: cut, compression) == row.digest, "cut: \(cut.map(\.count))")
        }
    }

    @Test(arguments: compressions)
    func aMillionTimesTheSameByte(_ compression: SHA256Compression) {
        let expected = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        let thousand = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        let pieces = [ArraySlice<UInt8>](repeating: thousand[...], count: 1000)
        #expect(digest(of: pieces, compression) == expected)
    }

    @Test func theTwinAgreesWithTheStandard() {
        for row in Self.rows { #expect(naiveSHA256(Array(row.message.utf8)) == row.digest) }
    }

    @Test func everyShortLengthEqualsTheTwin() {
        var random = SplitMix64(seed: 1)
        for count in 0...300 {
            let message = bytes(count, from: &random)
            let expected = naiveSHA256(message)
            for compression in Self.compressions {
                #expect(digest(of: [message[...]], compression) == expected, "\(count) bytes")
            }
        }
    }

    @Test(arguments: [2, 3, 4] as [UInt64])
    func anyMessageAnyCutsEqualTheTwin(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<10 {
            let message = bytes(Int.random(in: 0...5000, using: &random), from: &random)
            let expected = naiveSHA256(message)
            // Pieces shorter than a block, about a block, and many blocks long; empty ones too.
            for longest in [70, 200, 3000] {
                var pieces: [ArraySlice<UInt8>] = []
                var rest = message[...]
                while !rest.isEmpty {
                    pieces.append(rest.prefix(Int.random(in: 0...longest, using: &random)))
                    rest = rest.dropFirst(pieces.last?.count ?? 0)
                }
                for compression in Self.compressions {
                    #expect(
                        digest(of: pieces, compression) == expected,
                        "seed \(seed), cut: \(pieces.map(\.count))"
                    )
                }
            }
        }
    }

    @Test func readsNothingBeyondItsBytes() throws {
        var random = SplitMix64(seed: 5)
        for count in [0...300, 4000...4200].joined() {
            let message = bytes(count, from: &random)
            let expected = digest(of: [message[...]], .portable)
            for edge in GuardedBytes.Edge.allCases {
                let guarded = try GuardedBytes(message, edge: edge)
                var hash = SHA256()
                guarded.withSpan { hash.update($0) }
                #expect(hash.finish().hexadecimal == expected, "\(count) bytes, \(edge)")
            }
        }
    }

    @Test(arguments: compressions)
    func finishAndResetStartANewMessage(_ compression: SHA256Compression) {
        let message = Array("abc".utf8)
        let expected = digest(of: [message[...]], compression)
        // As much left over as can be, and more than the length field leaves room for.
        for leftover in [1, 55, 56, 63, 64, 100] {
            let other = [UInt8](repeating: 0xFF, count: leftover)
            var hash = SHA256(compression: compression)
            hash.update(other.span)
            _ = hash.finish()
            hash.update(message.span)
            #expect(hash.finish().hexadecimal == expected)
            hash.update(other.span)
            hash.reset()
            hash.update(message.span)
            #expect(hash.finish().hexadecimal == expected)
        }
    }

    @Test func aCopyIsAMessageOfItsOwn() {
        let (first, second) = (Array("ab".utf8), Array("c".utf8))
        var hash = SHA256()
        hash.update(first.span)
        var copy = hash
        copy.update(first.span)
        hash.update(second.span)
        #expect(hash.finish().hexadecimal == naiveSHA256(first + second))
        #expect(copy.finish().hexadecimal == naiveSHA256(first + first))
    }
}

private func bytes(_ count: Int, from random: inout SplitMix64) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
}

private func digest(of pieces: [ArraySlice<UInt8>], _ compression: SHA256Compression) -> String {
    var hash = SHA256(compression: compression)
    for piece in pieces { hash.update(piece.span) }
    return hash.finish().hexadecimal
}
