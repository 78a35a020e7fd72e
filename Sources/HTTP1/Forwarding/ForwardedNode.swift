import Wire

/// Who sent a message to a proxy, as that proxy names it (RFC 7239 §6).
///
///     node     = nodename [ ":" node-port ]
///     nodename = IPv4address / "[" IPv6address "]" / "unknown" / obfnode
///     obfnode  = "_" 1*( ALPHA / DIGIT / "." / "_" / "-")
///
/// The port is checked and forgotten.
package enum ForwardedNode: Equatable, Sendable {
    /// An IP address as it was sent, without brackets and port.
    case address(String)
    case unknown
    /// A name that means something to who made it alone.
    case obfuscated(String)

    /// Reads a node; nil if it is none.
    ///
    /// X-Forwarded-For, which no standard defines, also has IPv6 addresses without brackets; they
    /// then have no port.
    package init?(_ bytes: Span<UInt8>, allowsBareIPv6: Bool = false) {
        if allowsBareIPv6, IPv6Syntax.firstOffence(in: bytes) == nil {
            self = .address(bytes.repairedText)
            return
        }
        var end = 0
        if !bytes.isEmpty, bytes[0] == UInt8(ascii: "[") {
            while end < bytes.count, bytes[end] != UInt8(ascii: "]") { end += 1 }
            guard end < bytes.count else { return nil }
            let host = bytes.extracting(1..<end)
            guard IPv6Syntax.firstOffence(in: host) == nil else { return nil }
            end += 1
            self = .address(host.repairedText)
        } else {
            while end < bytes.count, bytes[end] != ASCII.colon { end += 1 }
            let name = bytes.extracting(0..<end)
            if IPv6Syntax.firstOffenceInIPv4(name, from: 0) == nil {
                self = .address(name.repairedText)
            } else if name.equalsIgnoringCase("unknown") {
                self = .unknown
            } else if Self.isObfuscated(name) {
                self = .obfuscated(name.repairedText)
            } else {
                return nil
            }
        }
        guard end < bytes.count else { return }
        guard bytes[end] == ASCII.colon else { return nil }
        let port = bytes.extracting((end + 1)..<bytes.count)
        guard Self.isPort(port) || Self.isObfuscated(port) else { return nil }
    }

    private static func isObfuscated(_ bytes: Span<UInt8>) -> Bool {
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "_") else { return false }
        for index in bytes.indices where !ByteClass.obfuscated.contains(bytes[index]) {
            return false
        }
        return true
    }

    private static func isPort(_ bytes: Span<UInt8>) -> Bool {
        guard (1...5).contains(bytes.count) else { return false }
        var port = 0
        for index in bytes.indices {
            guard ByteClass.digit.contains(bytes[index]) else { return false }
            // Five digits at most.
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        return port <= 65_535
    }
}

extension ByteClass {
    /// RFC 7239 §6.3: what an obfuscated identifier is made of.
    static var obfuscated: ByteClass {
        ByteClass(low: 0x03FF_6000_0000_0000, high: 0x07FF_FFFE_87FF_FFFE)
    }
}
