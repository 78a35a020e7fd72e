#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Standard output and standard error, written at once and whole.
package enum StandardStream: Int32, Sendable {
    case output = 1
    case error = 2

    /// Writes `text` and a line break.
    ///
    /// Where nobody reads any more, it is lost.
    package func writeLine(_ text: String) {
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
                return
            }
        }
    }
}
