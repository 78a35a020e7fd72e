internal import CSystem
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// An open file descriptor, closed when the last reference to it is dropped.
///
/// Whoever may still use the number holds a reference: that is how it is closed once, never
/// twice, and never while the kernel or Dispatch still watches it.
package final class Descriptor: Sendable {
    let number: Int32

    /// Takes over `number`, which nobody else may close.
    package init(owning number: Int32) {
        self.number = number
    }

    deinit {
        // Not repeated on EINTR: Linux has freed the number already.
        _ = close(number)
    }
}

extension Descriptor {
    /// Opens a stream socket that never blocks.
    static func socket(domain: Int32) throws(TransportError) -> Descriptor {
        let number = try SystemCall { Int(weir_socket(domain)) }.value(of: .socket)
        return Descriptor(owning: Int32(truncatingIfNeeded: number))
    }

    /// Sets an option whose value is a C `int`; options are hints, so a refusal is no error.
    func set(_ option: Int32, level: Int32 = SOL_SOCKET, to value: Int32 = 1) {
        var value = value
        // SAFETY: the pointer and the length describe `value`, which outlives the call.
        _ = unsafe setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes the coming close a reset: unsent bytes are dropped, and the peer sees RST, not FIN.
    func resetOnClose() { setLinger(linger(l_onoff: 1, l_linger: 0)) }

    /// Makes the coming close an orderly one, whatever was asked for before.
    func finishOnClose() { setLinger(linger(l_onoff: 0, l_linger: 0)) }

    private func setLinger(_ setting: linger) {
        var value = setting
        // SAFETY: the pointer and the length describe `value`, which outlives the call.
        _ = unsafe setsockopt(
            number,
            SOL_SOCKET,
            SO_LINGER,
            &value,
            socklen_t(MemoryLayout<linger>.size)
        )
    }

    /// The error a connect ended with, or 0.
    func takePendingError() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        // SAFETY: the pointers describe `code` and its size, which outlive the call.
        let result = unsafe getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &length)
        return result == 0 ? code : errno
    }
}
