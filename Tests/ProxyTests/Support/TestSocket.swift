import Glibc

/// A TCP socket on which every wait has an end: what does not come in time is an error.
final class TestSocket: Sendable {
    enum Failure: Error, Equatable {
        case system(String, Int32)
        /// Nothing came, or nothing was taken, for as long as a test may take.
        case timedOut
        /// The peer is gone: bytes could not be sent.
        case gone
    }

    /// What a read brought.
    enum Arrival: Equatable, Sendable {
        case bytes([UInt8])
        case end
        case reset
    }

    static let patienceMilliseconds: Int32 = 15_000

    private let descriptor: Int32
    private let patience: Int32

    init(owning descriptor: Int32, patience: Int32 = patienceMilliseconds) {
        self.descriptor = descriptor
        self.patience = patience
        // What a test sends in pieces shall arrive in pieces.
        var on: Int32 = 1
        // SAFETY: the option is the Int32 that is passed with its size.
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
    }

    deinit { _ = Glibc.close(descriptor) }

    /// Connects to a port of this machine; a small receive buffer makes the peer block soon.
    convenience init(
        connectingTo port: UInt16,
        receiveBuffer: Int32? = nil,
        patience: Int32 = patienceMilliseconds
    ) throws(Failure) {
        let number = try Self.open()
        self.init(owning: number, patience: patience)
        if var size = receiveBuffer {
            // SAFETY: the option is the Int32 that is passed with its size.
            _ = unsafe setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, 4)
        }
        let code = unsafe Self.withLoopback(port) { unsafe connect(number, $0, $1) }
        guard code == 0 else { throw .system("connect", errno) }
    }

    // MARK: Listening

    /// Listens on a free port of this machine.
    static func listening() throws(Failure) -> (TestSocket, port: UInt16) {
        let number = try open()
        let socket = TestSocket(owning: number)
        guard unsafe withLoopback(0, { unsafe bind(number, $0, $1) }) == 0,
            listen(number, 64) == 0
        else { throw .system("bind", errno) }
        return (socket, try socket.localPort())
    }

    /// The next connection; nil once `stopListening` was called.
    func accepted() -> TestSocket? {
        let number = accept(descriptor, nil, nil)
        return number < 0 ? nil : TestSocket(owning: number)
    }

    /// Wakes who waits in `accepted`, and refuses everyone from now on.
    func stopListening() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    private func localPort() throws(Failure) -> UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            // SAFETY: every kernel address begins like `sockaddr`, and the length says how it ends.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &length)
            }
        }
        guard code == 0 else { throw .system("getsockname", errno) }
        return UInt16(bigEndian: address.sin_port)
    }

    private static func open() throws(Failure) -> Int32 {
        let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard number >= 0 else { throw .system("socket", errno) }
        return number
    }

    private static func withLoopback(
        _ port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return unsafe withUnsafePointer(to: &address) { pointer in
            // SAFETY: as in `localPort`.
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    // MARK: Bytes

    /// Sends all of `bytes`.
    func send(_ bytes: some Sequence<UInt8>) throws(Failure) {
        let bytes = Array(bytes)
        var done = 0
        while done < bytes.count {
            try wait(for: Int16(POLLOUT))
            let count = unsafe bytes.withUnsafeBytes { buffer in
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                // SAFETY: the kernel reads `count - done` bytes within the buffer's scope.
                return unsafe Glibc.send(
                    descriptor,
                    buffer.baseAddress?.advanced(by: done),
                    bytes.count - done,
                    flags
                )
            }
            if count > 0 {
                done += count
            } else if errno != EAGAIN {
                throw .gone
            }
        }
    }

    /// Reads what has come, waiting for the first byte of it.
    func receive(atMost limit: Int = 64 << 10) throws(Failure) -> Arrival {
        try wait(for: Int16(POLLIN))
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) {
            // SAFETY: the kernel writes at most the buffer's count of bytes.
            let count = unsafe recv(descriptor, $0.baseAddress, $0.count, 0)
            code = count < 0 ? errno : 0
            $1 = max(0, count)
        }
        if code != 0 { return .reset }
        return bytes.isEmpty ? .end : .bytes(bytes)
    }

    /// Reads up to the end of the stream; the flag is false where that is a reset.
    func receiveToEnd() throws(Failure) -> (bytes: [UInt8], endsInOrder: Bool) {
        var all: [UInt8] = []
        while true {
            switch try receive() {
            case .bytes(let bytes): all += bytes
            case .end: return (all, true)
            case .reset: return (all, false)
            }
        }
    }

    private func wait(for events: Int16) throws(Failure) {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        // SAFETY: one entry is passed, and it lives until the call returns.
        let count = unsafe poll(&entry, 1, patience)
        guard count > 0 else { throw .timedOut }
    }

    // MARK: Ending

    /// Nothing more will come from this side; reading goes on.
    func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// The last reference that is dropped breaks the connection.
    func resetOnClose() {
        var value = linger(l_onoff: 1, l_linger: 0)
        let size = socklen_t(MemoryLayout<linger>.size)
        // SAFETY: the option is the value that is passed with its size.
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, size)
    }
}
