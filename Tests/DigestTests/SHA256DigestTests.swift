import Digest
import Testing

@Suite struct SHA256DigestTests {
    /// Every value of a byte at every place, and both values of each hexadecimal digit.
    @Test(arguments: UInt8.min...UInt8.max)
    func bytesComeBackInTheirPlaces(_ first: UInt8) throws {
        let sent = (0..<32).map { first &+ UInt8($0) &* 37 }
        let digest = try #require(claimed(sent))
        #expect(digest.bytes.indices.map { digest.bytes[$0] } == sent)
        let expected = sent.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digest.hexadecimal == expected)
    }

    @Test func theDigestOfAMessageIsItsBytes() throws {
        var hash = SHA256()
        let digest = hash.finish()
        #expect(digest.bytes[0] == 0xE3)
        #expect(digest.bytes[31] == 0x55)
        let bytes = digest.bytes
        #expect(claimed(bytes.indices.map { bytes[$0] }) == digest)
    }

    @Test func everyBitCounts() throws {
        let zero = [UInt8](repeating: 0, count: 32)
        let reference = try #require(claimed(zero))
        #expect(claimed(zero) == reference)
        for bit in 0..<256 {
            var changed = zero
            changed[bit / 8] = 1 << UInt8(bit % 8)
            #expect(claimed(changed) != reference, "bit \(bit)")
        }
    }

    @Test(arguments: [0, 1, 31, 33, 64])
    func otherLengthsAreNoDigest(_ count: Int) {
        #expect(claimed([UInt8](repeating: 0, count: count)) == nil)
    }
}

private func claimed(_ bytes: [UInt8]) -> SHA256Digest? { SHA256Digest(bytes.span) }
