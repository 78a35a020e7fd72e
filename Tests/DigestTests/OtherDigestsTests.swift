import Digest
import TestSupport
import Testing

/// The digests beside SHA-256, against other implementations of them.
@Suite struct OtherDigestsTests {
    /// The SHA-256 of 301 digests in a row, of messages of 0 to 300 bytes; made with Python's
    /// hashlib and zlib, and a table of 256 entries for CRC-32C.
    static let rows: [(DigestAlgorithm, String)] = [
        (.sha256, "60d63ff40b5558727a9b786ac0be9300f7ca58fd9ddd3b2f3681b369018a87dc"),
        (.sha1, "47239c52c701c5e05398e4709678f658b2d2108f40c2da3b6615c0121d3c0d5d"),
        (.md5, "01f484cef341ddb5881905712187a8264e23e0a8882da88890874d86f771b102"),
        (.sha512, "f3a878b16610912d9a238688c52fc5f29f8fe30d2c5656e7e77dcf747171648d"),
        (.crc32, "c569362393520f49c598215836e8d39a4910028d827824b89f555fc9bb3e05ff"),
        (.crc32c, "d23d0f70e8007f10ebad4046ccd7fa30d4de08b46d6f5559b6f65f2f42b2f323"),
    ]

    @Test func everyAlgorithmHasARow() {
        #expect(Self.rows.map(\.0) == DigestAlgorithm.allCases)
    }

    @Test(arguments: rows)
    func everyShortLengthAgrees(_ algorithm: DigestAlgorithm, _ expected: String) throws {
        var set = DigestSet([algorithm])
        var all = SHA256()
        for count in 0...300 {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: 7 * $0 + count) }
            set.update(message.span)
            let digest = try #require(set.finish().first)
            all.update(digest.bytes.span)
        }
        #expect(all.finish().hexadecimal == expected)
    }

    /// Kernel and tables, at every alignment, next to memory that must not be read.
    @Test func crc32cByInstructionEqualsCRC32CByTable() throws {
        var random = SplitMix64(seed: 5)
        for count in 0...80 {
            let message = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            for edge in GuardedBytes.Edge.allCases {
                let guarded = try GuardedBytes(message, edge: edge)
                for start in 0...min(count, 8) {
                    let checks = guarded.withSpan { bytes in
                        [false, true].map { isPortable in
                            var crc = CRC32(.castagnoli, isPortable: isPortable)
                            crc.update(bytes.extracting(start..<count))
                            return crc.finish()
                        }
                    }
                    #expect(checks[0] == checks[1], "\(count) bytes from \(start)")
                    #expect(checks[1] == naiveCRC32C(Array(message[start...])))
                }
            }
        }
    }

    /// Bit by bit, as the polynomial has it.
    private func naiveCRC32C(_ message: [UInt8]) -> [UInt8] {
        var register = UInt32.max
        for byte in message {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register >> 1 ^ (register & 1) * 0x82F6_3B78 }
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: ~register >> $0) }
    }
}
