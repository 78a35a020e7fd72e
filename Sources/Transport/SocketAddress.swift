/// One end of a connection, as the kernel knows it.
///
/// A plain value: it is converted to and from the kernel's form only around a system call. An
/// IPv4 peer that arrives on an IPv6 socket (`::ffff:192.0.2.1`) is shown as IPv4, so that one
/// client has one address in records and rules.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable {
        case v4(host: UInt32, port: UInt16)
        case v6(host: UInt128, port: UInt16, scope: UInt32)

        /// The path is empty for the client's end, which has no name.
        case unix(path: String)
    }

    let kind: Kind

    init(_ kind: Kind) {
        // The 96 bits that mark an IPv4 address inside an IPv6 one (RFC 4291 section 2.5.5.2).
        if case .v6(let host, let port, _) = kind, host >> 32 == 0xFFFF {
            self.kind = .v4(host: UInt32(truncatingIfNeeded: host), port: port)
        } else {
            self.kind = kind
        }
    }

    /// The address of a Unix socket.
    package init(path: String) {
        self.init(.unix(path: path))
    }

    /// The IP address as text, IPv6 in the form of RFC 5952; nil for a Unix socket.
    package var ip: String? {
        switch kind {
        case .v4(let host, _):
            "\(host >> 24).\(host >> 16 & 0xFF).\(host >> 8 & 0xFF).\(host & 0xFF)"
        case .v6(let host, _, _):
            Self.text(of: host)
        case .unix:
            nil
        }
    }

    /// The port; nil for a Unix socket.
    package var port: UInt16? {
        switch kind {
        case .v4(_, let port), .v6(_, let port, _): port
        case .unix: nil
        }
    }

    /// The path of a Unix socket, empty if it has none; nil otherwise.
    package var path: String? {
        if case .unix(let path) = kind { path } else { nil }
    }

    /// True for TCP.
    package var isInternet: Bool { path == nil }

    /// True for an IPv6 address.
    package var isV6: Bool {
        if case .v6 = kind { true } else { false }
    }

    /// True if only this machine can be there.
    package var isLoopback: Bool {
        switch kind {
        case .v4(let host, _): host >> 24 == 127
        case .v6(let host, _, _): host == 1
        case .unix: true
        }
    }

    /// The same address with another port; a path has none.
    package func with(port: UInt16) -> SocketAddress {
        switch kind {
        case .v4(let host, _): SocketAddress(.v4(host: host, port: port))
        case .v6(let host, _, let scope): SocketAddress(.v6(host: host, port: port, scope: scope))
        case .unix: self
        }
    }

    /// Whom limits for one client count as one: the IPv4 address, or the 64 bits of an IPv6
    /// address that one site has for itself (RFC 4291 section 2.5.4); nil for a Unix socket.
    package var network: SocketAddress? {
        switch kind {
        case .v4(let host, _): SocketAddress(.v4(host: host, port: 0))
        case .v6(let host, _, let scope):
            SocketAddress(.v6(host: (host >> 64) << 64, port: 0, scope: scope))
        case .unix: nil
        }
    }

    /// As an operator would write it: `HOST:PORT`, `[v6]:PORT` or `unix:/path`.
    package var description: String {
        switch kind {
        case .v4(_, let port): "\(ip ?? ""):\(port)"
        case .v6(_, let port, _): "[\(ip ?? "")]:\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    /// Eight groups in lower-case hexadecimal, the longest run of zero groups as `::`.
    private static func text(of host: UInt128) -> String {
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: host >> ((7 - $0) * 16)) }
        var longest = 0..<0
        var start = 0
        for (index, group) in groups.enumerated() {
            if group != 0 {
                start = index + 1
            } else if index + 1 - start > longest.count {
                longest = start..<index + 1
            }
        }
        let words = groups.map { String($0, radix: 16) }
        // One zero group alone is written as it is (RFC 5952 section 4.2.2).
        guard longest.count > 1 else { return words.joined(separator: ":") }
        return words[..<longest.lowerBound].joined(separator: ":") + "::"
            + words[longest.upperBound...].joined(separator: ":")
    }
}
