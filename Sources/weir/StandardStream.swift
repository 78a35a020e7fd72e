#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Standard output and standard error, written at once and whole.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Prints what a command was asked for, and is the status to end with.
    ///
    /// Where it cannot be written, whoever asked must not take what there is for all of it.
    package static func print(_ text: String, then status: ExitStatus = .success) -> ExitStatus {
        guard let problem = output.writeLine(text) else { return status }
        error.writeLine("weir: cannot write to standard output: \(problem)")
        return .failure
    }

    /// Writes `text` and a line break; what went wrong in the system's words, or nil.
    @discardableResult
    package func writeLine(_ text: String) -> String? {
        let bytes = Array((text + "\n").utf8)
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { all in
                // SAFETY: below all.count, the range lies in the array, which outlives the call.
                unsafe write(rawValue, all.baseAddress?.advanced(by: written), all.count - written)
            }
            if count > 0 {
                written += count
            } else if count == 0 || errno != EINTR {
                return count == 0 ? "nothing is taken" : lastSystemErrorText()
            }
        }
        return nil
    }

    /// Sees to it that descriptors 0 to 2 are open, before anything else is opened.
    ///
    /// A file or socket that took the number of a closed one would be written to by whoever means
    /// standard output or error. What stands in is opened the other way round, so that using it is
    /// still the error it was.
    package static func occupyClosed() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 && errno == EBADF {
            // SAFETY: the path is a literal. The lowest free number is taken: this one.
            _ = unsafe open("/dev/null", number == 0 ? O_WRONLY : O_RDONLY)
        }
    }
}
