import Digest
import TestSupport
import Testing

/// Two messages hashed at once have the digests they have alone.
@Suite struct TwoAtOnceTests {
    static let compressions: [SHA256Compression] = [.fastest, .portable]

    @Test(arguments: compressions)
    func everyLengthAndPosition(_ compression: SHA256Compression) {
        var random = SplitMix64(seed: 5)
        let bytes = (0..<600).map { _ in UInt8.random(in: 0...255, using: &random) }
        let others = Array(bytes.reversed())
        for start in [0, 1, 9, 55, 63, 64, 65, 127, 130] {
            for count in 0..<200 {
                let otherStart = (start * 7 + count) % 140
                let otherCount = (count * 3) % 400
                var (hash, other) = (
                    SHA256(compression: compression), SHA256(compression: compression)
                )
                hash.update(bytes.span.extracting(..<start))
                other.update(others.span.extracting(..<otherStart))
                SHA256.update(
                    &hash,
                    with: bytes.span.extracting(start..<start + count),
                    and: &other,
                    with: others.span.extracting(otherStart..<otherStart + otherCount)
                )
                #expect(hash.finish() == digest(of: bytes[..<(start + count)]))
                #expect(other.finish() == digest(of: others[..<(otherStart + otherCount)]))
            }
        }
    }

    @Test func twoCompressionsDoNotMix() {
        var (hash, other) = (SHA256(compression: .fastest), SHA256(compression: .portable))
        let bytes = [UInt8](repeating: 7, count: 1000)
        SHA256.update(&hash, with: bytes.span, and: &other, with: bytes.span)
        #expect(hash.finish() == digest(of: bytes[...]))
        #expect(other.finish() == digest(of: bytes[...]))
    }

    private func digest(of bytes: ArraySlice<UInt8>) -> SHA256Digest {
        var hash = SHA256()
        hash.update(bytes.span)
        return hash.finish()
    }
}
