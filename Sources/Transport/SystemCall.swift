#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What a system call came to: its value, or its `errno`.
enum SystemCall {
    case value(Int)
    case failed(code: Int32)

    /// Makes a call, and makes it again for as long as a signal interrupts it.
    ///
    /// Only here is `errno` read, before anything else can change it.
    init(_ call: () -> Int) {
        while true {
            let value = call()
            if value >= 0 {
                self = .value(value)
                return
            }
            let code = errno
            if code != EINTR {
                self = .failed(code: code)
                return
            }
        }
    }

    /// The value, or the error that `operation` met.
    func value(of operation: TransportError.Operation) throws(TransportError) -> Int {
        switch self {
        case .value(let value): return value
        case .failed(let code): throw TransportError(operation, code: code)
        }
    }
}
