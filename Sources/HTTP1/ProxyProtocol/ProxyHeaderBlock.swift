import Wire

/// Version 2 of the header: a binary block.
///
///     block     = signature version-and-command family-and-transport length
///                 addresses *extension
///     extension = type length value            ; one, two and so many bytes
///
/// A sender that speaks for itself (LOCAL) may have anything behind the length; it is skipped.
/// Extensions are measured, so that the header ends where it says, and not read.
enum ProxyHeaderBlock {
    static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]

    /// Up to and with the length.
    static let fixedBytes = 16

    /// The families, by the upper four bits of their byte.
    private enum Family: UInt8 {
        case v4 = 1
        case v6 = 2
        case unix = 3

        /// Of the two addresses and ports together.
        var addressBytes: Int {
            switch self {
            case .v4: 12
            case .v6: 36
            case .unix: 216
            }
        }
    }

    /// Reads a block that is as long as it says.
    static func header(in block: Span<UInt8>) throws(ProxyHeaderFault) -> ProxyHeader {
        switch block[12] {
        case 0x20: return .local
        case 0x21: break
        default: throw ProxyHeaderFault(.commandUnknown, at: 12)
        }
        if block[13] == 0 {
            try checkExtensions(of: block, from: fixedBytes)
            return .unknown
        }
        // The lower bits: 1 is a stream, 2 datagrams, which a sender that speaks QUIC has got.
        guard let family = Family(rawValue: block[13] >> 4), 1...2 ~= block[13] & 0xF else {
            throw ProxyHeaderFault(.familyUnknown, at: 13)
        }
        let addressEnd = fixedBytes + family.addressBytes
        guard block.count >= addressEnd else { throw ProxyHeaderFault(.lengthInvalid, at: 14) }
        try checkExtensions(of: block, from: addressEnd)
        switch family {
        case .v4: return .source(ip: textV4(of: block), port: number(in: block, at: 24))
        case .v6: return .source(ip: textV6(of: block), port: number(in: block, at: 48))
        case .unix: return .unknown
        }
    }

    private static func checkExtensions(
        of block: Span<UInt8>,
        from start: Int
    ) throws(ProxyHeaderFault) {
        var index = start
        while index < block.count {
            guard block.count - index >= 3 else {
                throw ProxyHeaderFault(.extensionInvalid, at: index)
            }
            let length = Int(number(in: block, at: index + 1))
            guard block.count - index - 3 >= length else {
                throw ProxyHeaderFault(.extensionInvalid, at: index)
            }
            index += 3 + length
        }
    }

    /// Two bytes in network order.
    private static func number(in block: Span<UInt8>, at index: Int) -> UInt16 {
        UInt16(block[index]) << 8 | UInt16(block[index + 1])
    }

    private static func textV4(of block: Span<UInt8>) -> String {
        (16..<20).map { String(block[$0]) }.joined(separator: ".")
    }

    private static func textV6(of block: Span<UInt8>) -> String {
        stride(from: 16, to: 32, by: 2)
            .map { String(number(in: block, at: $0), radix: 16) }
            .joined(separator: ":")
    }
}
