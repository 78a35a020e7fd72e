internal import Glibc

/// Where lines go: a descriptor, and the path to open it again by, if it has one.
///
/// A write is tried to its end: a partial one is continued, an interrupted one repeated, and where
/// a pipe is full it waits for the reader. If it fails within a line, the next write begins with
/// a line end, so that what follows the torn line is whole. Lines are appended (`O_APPEND`), so
/// that several processes may share a file.
package struct LogFile: ~Copyable {
    /// How much of a write arrived.
    package struct Outcome: Equatable, Sendable {
        package let writtenBytes: Int

        /// Why not all of it did, or nil.
        package let failure: SystemFailure?

        package init(writtenBytes: Int, failure: SystemFailure?) {
            self.writtenBytes = writtenBytes
            self.failure = failure
        }
    }

    private var descriptor: Int32
    private let path: String?
    private var endsWithinLine = false

    /// Once done, writing to a pipe without a reader is an error, not the end of the process.
    private static let ignoresBrokenPipes: Void = {
        _ = signal(SIGPIPE, SIG_IGN)
    }()

    /// Opens or creates the file at `path`.
    package init(path: String) throws(SystemFailure) {
        Self.ignoresBrokenPipes
        descriptor = try Self.open(path)
        self.path = path
    }

    /// Writes to a descriptor that stays its owner's to close.
    package init(borrowing descriptor: Int32) {
        Self.ignoresBrokenPipes
        self.descriptor = descriptor
        path = nil
    }

    deinit {
        if path != nil { _ = Glibc.close(descriptor) }
    }

    /// Opens the path again, after its file was moved away; on failure the old file stays open.
    package mutating func reopen() throws(SystemFailure) {
        guard let path else { return }
        let new = try Self.open(path)
        _ = Glibc.close(descriptor)
        descriptor = new
        endsWithinLine = false
    }

    /// Writes `lines`, each of which ends with a line end.
    package mutating func write(_ lines: Span<UInt8>) -> Outcome {
        if endsWithinLine {
            let lineEnd: [UInt8] = [0x0A]
            if let failure = writeAll(lineEnd.span).failure {
                return Outcome(writtenBytes: 0, failure: failure)
            }
            endsWithinLine = false
        }
        let outcome = writeAll(lines)
        if outcome.writtenBytes > 0 {
            endsWithinLine = lines[outcome.writtenBytes - 1] != 0x0A
        }
        return outcome
    }

    private func writeAll(_ bytes: Span<UInt8>) -> Outcome {
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.extracting(droppingFirst: done).withUnsafeBytes { rest in
                // SAFETY: the kernel reads `rest.count` bytes within the buffer's scope.
                unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            }
            if count > 0 {
                done += count
                continue
            }
            // A write of some bytes that takes none and names no error is treated as a full disk.
            let code = count == 0 ? ENOSPC : errno
            switch code {
            case EINTR: continue
            case EAGAIN: waitUntilWritable()
            default:
                let failure = SystemFailure(operation: "write", code: code)
                return Outcome(writtenBytes: done, failure: failure)
            }
        }
        return Outcome(writtenBytes: done, failure: nil)
    }

    /// Waits until the reader of a full pipe has taken something, or is gone.
    private func waitUntilWritable() {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // SAFETY: one entry is passed, and it lives until the call returns. A failed or interrupted
        // wait is answered by the write that is tried next.
        _ = unsafe poll(&request, 1, -1)
    }

    /// Opens without waiting: a named pipe that nobody reads is an error, not a standstill.
    private static func open(_ path: String) throws(SystemFailure) -> Int32 {
        let flags = O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
        while true {
            // SAFETY: the path is passed as text that lives until the call returns.
            let descriptor = unsafe Glibc.open(path, flags, 0o640)
            if descriptor >= 0 { return descriptor }
            guard errno == EINTR else { throw SystemFailure(operation: "open", code: errno) }
        }
    }
}
