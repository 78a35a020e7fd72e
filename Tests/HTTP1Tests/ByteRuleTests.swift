import HTTP1
import Testing
import Wire

/// Each of the 256 bytes, in each place where the head has a rule of its own for bytes.
@Suite struct ByteRuleTests {
    static let bytes = [UInt8](0...255)

    private func fault(_ prefix: String, _ byte: UInt8, _ suffix: String) -> HTTPFault? {
        let input = Array(prefix.utf8) + [byte] + Array(suffix.utf8)
        return RequestOutcome(parsing: [input[...]]).fault
    }

    @Test(arguments: bytes)
    func methods(_ byte: UInt8) {
        let reason = fault("A", byte, "B / HTTP/1.0\r\n\r\n")?.reason
        let isToken = Array("!#$%&'*+-.^_`|~".utf8).contains(byte) || isAlphanumeric(byte)
        switch byte {
        case _ where isToken: #expect(reason == nil)
        case 0x20: #expect(reason == .versionInvalid)
        case 0x0A: #expect(reason == .bareLF)
        case 0x0D: #expect(reason == .bareCR)
        case 0x00: #expect(reason == .nul)
        default: #expect(reason == .methodInvalid)
        }
    }

    @Test(arguments: bytes)
    func targets(_ byte: UInt8) {
        let reason = fault("GET /?", byte, "x HTTP/1.0\r\n\r\n")?.reason
        switch byte {
        case 0x20: #expect(reason == .versionInvalid)
        case 0x0A: #expect(reason == .bareLF)
        case 0x0D: #expect(reason == .bareCR)
        case 0x00: #expect(reason == .nul)
        case UInt8(ascii: "#"): #expect(reason == .targetFragment)
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x01...0x1F, 0x7F...0xFF:
            #expect(reason == .targetInvalid)
        default: #expect(reason == nil)
        }
    }

    @Test(arguments: bytes)
    func fieldNames(_ byte: UInt8) {
        let reason = fault("GET / HTTP/1.0\r\nA", byte, "B: x\r\n\r\n")?.reason
        let isToken = Array("!#$%&'*+-.^_`|~".utf8).contains(byte) || isAlphanumeric(byte)
        switch byte {
        case _ where isToken, UInt8(ascii: ":"): #expect(reason == nil)
        case 0x20, 0x09: #expect(reason == .spaceBeforeColon)
        case 0x0A: #expect(reason == .bareLF)
        case 0x0D: #expect(reason == .bareCR)
        case 0x00: #expect(reason == .nul)
        default: #expect(reason == .fieldNameInvalid)
        }
    }

    @Test(arguments: bytes)
    func fieldValues(_ byte: UInt8) {
        let reason = fault("GET / HTTP/1.0\r\nA: x", byte, "y\r\n\r\n")?.reason
        switch byte {
        case 0x09, 0x20...0x7E, 0x80...0xFF: #expect(reason == nil)
        case 0x0A: #expect(reason == .bareLF)
        case 0x0D: #expect(reason == .bareCR)
        case 0x00: #expect(reason == .nul)
        default: #expect(reason == .fieldValueControl)
        }
    }

    @Test(arguments: bytes)
    func hostNames(_ byte: UInt8) {
        let reason = fault("GET / HTTP/1.0\r\nHost: a", byte, "1\r\n\r\n")?.reason
        let isAllowed = Array("-._~:".utf8).contains(byte) || isAlphanumeric(byte)
        switch byte {
        case _ where isAllowed: #expect(reason == nil)
        case 0x09, 0x20...0x7E, 0x80...0xFF: #expect(reason == .hostInvalid)
        default: #expect(reason != nil)
        }
    }

    @Test(arguments: bytes)
    func chunkSizes(_ byte: UInt8) {
        let outcome = BodyOutcome(decoding: [([byte] + Array("\r\n".utf8))[...]])
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: #expect(outcome.fault == nil)
        case 0x0A, 0x0D, UInt8(ascii: ";"):
            #expect(outcome == .fault(.chunkSizeMissing, at: 0))
        default: #expect(outcome == .fault(.chunkSizeInvalid, at: 0))
        }
    }

    private func isAlphanumeric(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
    }
}
