/// Where to listen, or what to connect to, as an operator writes it.
///
///     address = host ":" port / "[" IPv6address "]" ":" port / "unix:" path
///     host    = IPv4address / name
///     port    = 1*5DIGIT      ; 0 to 65535
///
/// A name is not looked up here, but anything that cannot be one is refused, so that a mistake is
/// told when the configuration is read.
package struct Address: Equatable, Hashable, Sendable, CustomStringConvertible {
    private enum Place: Hashable {
        case internet(host: String, port: UInt16, isV6: Bool)
        case unix(path: String)
    }

    private let place: Place

    /// The longest path the kernel takes, less the NUL that ends it.
    package static let maximumPathBytes = 103

    private static let maximumHostBytes = 253

    /// Reads an address.
    package init(_ text: String) throws(AddressError) {
        if text.hasPrefix("unix:") {
            place = .unix(path: try Self.path(in: text.dropFirst(5)))
        } else if text.hasPrefix("[") {
            guard let bracket = text.firstIndex(of: "]") else { throw .bracketMissing }
            let host = String(text[text.index(after: text.startIndex)..<bracket])
            guard SocketAddress(ip: host, port: 0)?.isV6 == true else { throw .hostInvalid(host) }
            let port = try Self.port(in: text[text.index(after: bracket)...])
            place = .internet(host: host, port: port, isV6: true)
        } else {
            let end = text.firstIndex(of: ":") ?? text.endIndex
            let host = String(text[..<end])
            if text[end...].dropFirst().contains(":") { throw .bracketsNeeded }
            let port = try Self.port(in: text[end...])
            try Self.check(host)
            place = .internet(host: host, port: port, isV6: false)
        }
    }

    /// The host, without brackets; nil for a path.
    package var host: String? {
        if case .internet(let host, _, _) = place { host } else { nil }
    }

    /// The port; nil for a path.
    package var port: UInt16? {
        if case .internet(_, let port, _) = place { port } else { nil }
    }

    /// The path of a Unix socket; nil for a host.
    package var path: String? {
        if case .unix(let path) = place { path } else { nil }
    }

    /// True if only this machine can reach it.
    package var isLoopback: Bool {
        if host == "localhost" { return true }
        return numeric?.isLoopback ?? false
    }

    /// The address itself, if it needs no look-up.
    package var numeric: SocketAddress? {
        switch place {
        case .internet(let host, let port, _): SocketAddress(ip: host, port: port)
        case .unix(let path): SocketAddress(path: path)
        }
    }

    package var description: String {
        switch place {
        case .internet(let host, let port, isV6: true): "[\(host)]:\(port)"
        case .internet(let host, let port, isV6: false): "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func path(in text: Substring) throws(AddressError) -> String {
        guard !text.isEmpty else { throw .pathMissing }
        guard text.utf8.count <= maximumPathBytes else { throw .pathTooLong }
        guard !text.utf8.contains(0) else { throw .pathInvalid }
        return String(text)
    }

    /// Reads `":" port`.
    private static func port(in text: Substring) throws(AddressError) -> UInt16 {
        guard text.first == ":" else { throw .portMissing }
        let digits = text.dropFirst()
        guard !digits.isEmpty else { throw .portMissing }
        // `UInt16` alone would also take a sign.
        guard digits.utf8.allSatisfy({ isDigit($0) }), digits.utf8.count <= 5,
            let port = UInt16(digits)
        else { throw .portInvalid(String(digits)) }
        return port
    }

    private static func check(_ host: String) throws(AddressError) {
        guard !host.isEmpty else { throw .hostMissing }
        guard host.utf8.count <= maximumHostBytes, host.utf8.allSatisfy({ isNameByte($0) }) else {
            throw .hostInvalid(host)
        }
        // What ends in a number is no name, but the resolver would take "1.2" or "0x7f.1" for an
        // address (RFC 3986 section 3.2.2 allows only four decimal octets).
        if let last = host.utf8.split(separator: 0x2E).last, last.allSatisfy({ isDigit($0) }),
            SocketAddress(ip: host, port: 0) == nil
        {
            throw .hostInvalid(host)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// Letters, digits, "-", "." and, for names of containers, "_".
    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39, 0x2D, 0x2E, 0x5F: true
        default: false
        }
    }
}
