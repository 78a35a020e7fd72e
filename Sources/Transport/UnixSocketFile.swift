#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The file that a listening Unix socket has made, to be removed when it closes.
///
/// A process that was killed leaves its file behind, and nobody can bind there until it is gone.
/// It is removed only if it is a socket and nobody answers on it. At the end, it is removed only
/// if it is still the same file: a successor may have put its own there.
struct UnixSocketFile: Sendable {
    private let path: String
    private let identity: Identity

    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    /// Remembers the socket file at `path`; nil if there is none.
    init?(at path: String) {
        guard let identity = Self.identity(of: path) else { return nil }
        self.path = path
        self.identity = identity
    }

    /// Removes the file, if it is still ours.
    func remove() {
        guard Self.identity(of: path) == identity else { return }
        _ = unsafe unlink(path)
    }

    /// Removes a socket file that a dead process left at `address`; anything else stays.
    static func removeStale(at address: SocketAddress) {
        guard let path = address.path, let file = UnixSocketFile(at: path),
            let descriptor = try? Descriptor.socket(domain: address.domain)
        else { return }
        let code = unsafe address.withKernelAddress { pointer, length in
            unsafe connect(descriptor.number, pointer, length) == 0 ? 0 : errno
        }
        // Any other answer means that somebody holds it, were it only too busy to accept.
        if code == ECONNREFUSED { file.remove() }
    }

    /// Which file a socket at `path` is; nil if there is none, or it is no socket.
    private static func identity(of path: String) -> Identity? {
        var status = stat()
        guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            return nil
        }
        return Identity(
            device: UInt64(truncatingIfNeeded: status.st_dev),
            inode: UInt64(truncatingIfNeeded: status.st_ino)
        )
    }
}
