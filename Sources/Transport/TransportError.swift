internal import CSystem
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What the system refused, and why: an operation and its `errno`.
///
/// For `resolve` the code is one of `getaddrinfo`'s, which are numbered apart.
package struct TransportError: Error, Equatable, Sendable, CustomStringConvertible {
    package enum Operation: String, Sendable {
        case socket
        case bind
        case listen
        case accept
        case connect
        case read
        case write
        case register
        case allocate
        case resolve
    }

    package let operation: Operation
    package let code: Int32

    package init(_ operation: Operation, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The system's words for the code.
    package var text: String {
        if operation == .resolve {
            guard let text = unsafe gai_strerror(code) else { return "error \(code)" }
            return unsafe String(cString: text)
        }
        return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            // SAFETY: the call writes at most `count` bytes and ends the text with a NUL.
            guard let text = unsafe weir_error_text(code, buffer.baseAddress, buffer.count) else {
                return "error \(code)"
            }
            return unsafe String(cString: text)
        }
    }

    package var description: String { "\(operation.rawValue): \(text)" }

    /// True if the peer is gone: it reset the connection, or closed it before taking our bytes.
    package var isReset: Bool { code == ECONNRESET || code == EPIPE }

    /// True if nobody listens there.
    package var isRefused: Bool {
        operation == .connect && (code == ECONNREFUSED || code == ENOENT)
    }

    /// True if the kernel, not one of Weir's deadlines, gave up waiting for the peer.
    package var isTimeout: Bool { code == ETIMEDOUT }

    /// True if a limit of this process or machine was reached, which passes when load does.
    package var isExhaustion: Bool {
        operation != .resolve
            && (code == EMFILE || code == ENFILE || code == ENOBUFS || code == ENOMEM)
    }

    /// True if a connection failed for what this machine lacks, which says nothing of the peer.
    package var isLocal: Bool {
        operation == .socket || operation == .register || isExhaustion || code == EADDRNOTAVAIL
    }

    /// The answer to any use of a socket that this side has already closed.
    static func closed(_ operation: Operation) -> TransportError {
        TransportError(operation, code: EBADF)
    }
}
