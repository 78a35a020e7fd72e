internal import Glibc

/// A system call that failed, and why.
package struct SystemFailure: Error, Equatable, CustomStringConvertible {
    package let operation: String

    /// The value of `errno`.
    package let code: Int32

    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// The operation and the system's own words for the error.
    package var description: String {
        guard let words = unsafe strerror(code) else { return "\(operation): error \(code)" }
        // SAFETY: the text is copied at once; glibc keeps it alive until this thread's next call.
        return unsafe "\(operation): \(String(cString: words))"
    }
}
