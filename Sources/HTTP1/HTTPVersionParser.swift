import Wire

/// Reads `HTTP-version` (RFC 9112 §2.3), byte by byte.
///
///     HTTP-version = "HTTP" "/" DIGIT "." DIGIT
///
/// The name is case-sensitive. Any minor version above 1 is read as 1.1 (RFC 9110 §2.5); any
/// other major version is another protocol.
struct HTTPVersionParser: Sendable {
    private var seen = 0

    /// The minor version, 0 or 1, once the version is complete.
    private(set) var minor = 0

    var isComplete: Bool { seen == 8 }

    mutating func consume(_ byte: UInt8, at offset: Int) throws(HTTPFault) {
        switch seen {
        case 0: try expect("H", byte, at: offset)
        case 1, 2: try expect("T", byte, at: offset)
        case 3: try expect("P", byte, at: offset)
        case 4: try expect("/", byte, at: offset)
        case 5:
            switch byte {
            case UInt8(ascii: "1"): break
            case UInt8(ascii: "2")...UInt8(ascii: "9"):
                throw HTTPFault(.versionUnsupported, at: offset)
            default: throw HTTPFault(.offending(byte, in: .versionInvalid), at: offset)
            }
        case 6: try expect(".", byte, at: offset)
        case 7:
            guard ByteClass.digit.contains(byte) else {
                throw HTTPFault(.offending(byte, in: .versionInvalid), at: offset)
            }
            minor = byte == UInt8(ascii: "0") ? 0 : 1
        default:
            throw HTTPFault(.offending(byte, in: .versionInvalid), at: offset)
        }
        seen += 1
    }

    private func expect(
        _ letter: Unicode.Scalar,
        _ byte: UInt8,
        at offset: Int
    ) throws(HTTPFault) {
        guard byte == UInt8(ascii: letter) else {
            throw HTTPFault(.offending(byte, in: .versionInvalid), at: offset)
        }
    }
}
