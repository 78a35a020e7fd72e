#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension SocketAddress {
    /// Reads an IP address in its usual notation; nil if it is none, or has a zone.
    package init?(ip: String, port: UInt16) {
        var v4 = in_addr()
        var v6 = in6_addr()
        // SAFETY: `inet_pton` fills exactly the structure of the family it is given.
        if unsafe inet_pton(AF_INET, ip, &v4) == 1 {
            self.init(.v4(host: UInt32(bigEndian: v4.s_addr), port: port))
        } else if unsafe inet_pton(AF_INET6, ip, &v6) == 1 {
            self.init(.v6(host: Self.host(of: v6), port: port, scope: 0))
        } else {
            return nil
        }
    }

    /// The `AF_…` of a socket for this address.
    var domain: Int32 {
        switch kind {
        case .v4: AF_INET
        case .v6: AF_INET6
        case .unix: AF_UNIX
        }
    }

    /// Lends the kernel's form, for a system call.
    func withKernelAddress<Result>(
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        switch kind {
        case .v4(let host, let port):
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = host.bigEndian
            return unsafe lend(&address, to: body)
        case .v6(let host, let port, let scope):
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_scope_id = scope
            unsafe withUnsafeMutableBytes(of: &address.sin6_addr) { bytes in
                // SAFETY: an `in6_addr` has the 16 bytes of a UInt128.
                unsafe bytes.storeBytes(of: host.bigEndian, as: UInt128.self)
            }
            return unsafe lend(&address, to: body)
        case .unix(let path):
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
                // The last byte stays NUL, whatever the path.
                for (index, byte) in path.utf8.prefix(bytes.count - 1).enumerated() {
                    unsafe bytes[index] = byte
                }
            }
            return unsafe lend(&address, to: body)
        }
    }

    /// Lets a system call fill in an address, and reads it.
    ///
    /// - Returns: What the call returned, and the address, if it is of a family known here.
    static func filled<Result>(
        by call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Result
    ) -> (result: Result, address: SocketAddress?) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutableBytes(of: &storage) { bytes in
            // SAFETY: `sockaddr_storage` is large and aligned enough for every family.
            let address = unsafe bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            guard let address = unsafe address else {
                preconditionFailure("a structure has an address")
            }
            return unsafe call(address, &length)
        }
        let address = unsafe withUnsafeBytes(of: &storage) { bytes in
            // The kernel says the length it wanted, which may exceed what it had.
            unsafe SocketAddress(UnsafeRawBufferPointer(rebasing: bytes.prefix(Int(length))))
        }
        return (result, address)
    }

    /// Reads the kernel's form; nil for a family not known here, or if it is cut short.
    init?(_ bytes: UnsafeRawBufferPointer) {
        // SAFETY: each load is preceded by a check that the structure is all there.
        guard bytes.count >= MemoryLayout<sa_family_t>.size else { return nil }
        let pathOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let familyOffset = MemoryLayout<sockaddr_un>.offset(of: \.sun_family) ?? 0
        guard bytes.count >= pathOffset else { return nil }
        let family = unsafe bytes.loadUnaligned(fromByteOffset: familyOffset, as: sa_family_t.self)
        switch Int32(family) {
        case AF_INET where bytes.count >= MemoryLayout<sockaddr_in>.size:
            let address = unsafe bytes.loadUnaligned(as: sockaddr_in.self)
            self.init(
                .v4(
                    host: UInt32(bigEndian: address.sin_addr.s_addr),
                    port: UInt16(bigEndian: address.sin_port)
                )
            )
        case AF_INET6 where bytes.count >= MemoryLayout<sockaddr_in6>.size:
            let address = unsafe bytes.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                .v6(
                    host: Self.host(of: address.sin6_addr),
                    port: UInt16(bigEndian: address.sin6_port),
                    scope: address.sin6_scope_id
                )
            )
        case AF_UNIX:
            let path = unsafe bytes.dropFirst(pathOffset).prefix { $0 != 0 }
            self.init(.unix(path: unsafe String(decoding: path, as: UTF8.self)))
        default:
            return nil
        }
    }

    /// The address a socket is bound to.
    static func local(of number: Int32) -> SocketAddress? {
        let (result, address) = unsafe filled { unsafe getsockname(number, $0, $1) }
        return result == 0 ? address : nil
    }

    /// True if a socket has a peer: a connect that was started has succeeded.
    static func isConnected(_ number: Int32) -> Bool {
        unsafe filled { unsafe getpeername(number, $0, $1) }.result == 0
    }

    private static func host(of address: in6_addr) -> UInt128 {
        unsafe withUnsafeBytes(of: address) { bytes in
            // SAFETY: an `in6_addr` has the 16 bytes of a UInt128.
            UInt128(bigEndian: unsafe bytes.loadUnaligned(as: UInt128.self))
        }
    }
}

/// Lends one of the address structures as the type all system calls take.
private func lend<Structure, Result>(
    _ structure: inout Structure,
    to body: (UnsafePointer<sockaddr>, socklen_t) -> Result
) -> Result {
    let length = socklen_t(MemoryLayout<Structure>.size)
    #if !canImport(Glibc)
    // The BSDs also want the length inside.
    unsafe withUnsafeMutableBytes(of: &structure) { unsafe $0[0] = UInt8(length) }
    #endif
    return unsafe withUnsafePointer(to: &structure) { pointer in
        // SAFETY: every address structure begins like `sockaddr`, and the length goes with it.
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            unsafe body(address, length)
        }
    }
}
