/// A block of addresses: `10.0.0.0/8`, `2001:db8::/32`, one address, or all that comes over a Unix
/// socket.
///
///     network = address [ "/" 1*3DIGIT ] / "unix"                 (RFC 4632 §3.1, RFC 4291 §2.3)
///
/// Bits beyond the prefix are refused: who writes `10.1.0.0/8` means one of two things. An IPv4
/// client has its IPv4 address however it came, so no IPv6 network has it, `::/0` included; a
/// network of mapped addresses (`::ffff:0:0/96`) is the IPv4 network in it.
package struct Network: Hashable, Sendable, CustomStringConvertible {
    private enum Block: Hashable {
        case v4(UInt32, prefix: Int)
        case v6(UInt128, prefix: Int)
        case unix
    }

    private let block: Block

    /// Everything that connects over a Unix socket.
    package static let unix = Network(.unix)

    private init(_ block: Block) { self.block = block }

    /// Reads a network; nil if it is none.
    package init?(_ text: String) {
        if text == "unix" {
            self = .unix
            return
        }
        let halves = text.split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count <= 2, let address = SocketAddress(ip: String(halves[0]), port: 0) else {
            return nil
        }
        let isWrittenAsV6 = halves[0].contains(":")
        let width = isWrittenAsV6 ? 128 : 32
        guard let written = halves.count == 2 ? Self.length(in: halves[1]) : width,
            written <= width
        else { return nil }
        switch address.kind {
        case .v4(let host, _):
            let prefix = isWrittenAsV6 ? written - 96 : written
            guard prefix >= 0, host & Self.mask(beyond: prefix) == 0 else { return nil }
            block = .v4(host, prefix: prefix)
        case .v6(let host, _, _):
            guard host & Self.mask(beyond: written) == 0 else { return nil }
            block = .v6(host, prefix: written)
        case .unix:
            return nil
        }
    }

    /// True if `address` is in this block.
    package func contains(_ address: SocketAddress) -> Bool {
        switch (block, address.kind) {
        case (.v4(let network, let prefix), .v4(let host, _)):
            (host ^ network) & ~Self.mask(beyond: prefix) == 0
        case (.v6(let network, let prefix), .v6(let host, _, _)):
            (host ^ network) & ~Self.mask(beyond: prefix) == 0
        case (.unix, .unix): true
        case (.v4, _), (.v6, _), (.unix, _): false
        }
    }

    package var description: String {
        switch block {
        case .v4(let host, let prefix):
            "\(SocketAddress(.v4(host: host, port: 0)).ip ?? "")/\(prefix)"
        case .v6(let host, let prefix):
            "\(SocketAddress(.v6(host: host, port: 0, scope: 0)).ip ?? "")/\(prefix)"
        case .unix: "unix"
        }
    }

    /// One to three digits, and no sign, which `Int` alone would take.
    private static func length(in text: Substring) -> Int? {
        guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else {
            return nil
        }
        return Int(text)
    }

    /// The bits behind the first `prefix`; a shift by the whole width leaves none.
    private static func mask<Host: FixedWidthInteger>(beyond prefix: Int) -> Host {
        ~0 >> prefix
    }
}

extension [Network] {
    /// True if any of the networks has `address`.
    package func contain(_ address: SocketAddress) -> Bool {
        contains { $0.contains(address) }
    }
}
