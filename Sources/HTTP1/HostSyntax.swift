import Wire

/// The grammar of a Host value and of the authority in a target (RFC 9110 §7.2, RFC 3986 §3.2).
///
///     authority  = uri-host [ ":" port ]
///     uri-host   = IP-literal / IPv4address / reg-name
///
/// Narrower than the RFC: a name is made of unreserved characters alone. Percent-encoding and
/// sub-delims (`,` and `;` among them) are legal there, but name no host that exists, and are read
/// differently by the parsers that split or decode them. No label of a name is empty, but behind a
/// dot at the end: servers that make a folder of the host would leave it by `..`. A port has one to
/// five digits, and an IP literal is an IPv6 address without a zone.
enum HostSyntax {
    /// The index of the first byte that breaks the grammar, or nil if none does.
    ///
    /// The index is `bytes.count` if something is missing at the end.
    static func firstOffence(in bytes: Span<UInt8>, portRequired: Bool = false) -> Int? {
        guard !bytes.isEmpty else { return 0 }
        var index = 0
        if bytes[0] == UInt8(ascii: "[") {
            while index < bytes.count, bytes[index] != UInt8(ascii: "]") { index += 1 }
            guard index < bytes.count else { return index }
            if let offence = IPv6Syntax.firstOffence(in: bytes.extracting(1..<index)) {
                return offence + 1
            }
            index += 1
        } else {
            var labelStart = 0
            while index < bytes.count, ByteClass.unreserved.contains(bytes[index]) {
                if bytes[index] == UInt8(ascii: ".") {
                    guard index > labelStart else { return index }
                    labelStart = index + 1
                }
                index += 1
            }
            guard index > 0 else { return 0 }
        }
        if index == bytes.count { return portRequired ? index : nil }
        guard bytes[index] == ASCII.colon else { return index }
        return firstOffenceInPort(of: bytes, from: index + 1)
    }

    private static func firstOffenceInPort(of bytes: Span<UInt8>, from start: Int) -> Int? {
        guard start < bytes.count else { return start }
        var port = 0
        for index in start..<bytes.count {
            guard ByteClass.digit.contains(bytes[index]) else { return index }
            // Checked before each digit, the port stays below 655,360.
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            guard index - start < 5, port <= 65_535 else { return index }
        }
        return nil
    }
}

extension ByteClass {
    /// RFC 3986 §2.3: `unreserved`, what a host name is made of.
    static var unreserved: ByteClass {
        ByteClass(low: 0x03FF_6000_0000_0000, high: 0x47FF_FFFE_87FF_FFFE)
    }
}
