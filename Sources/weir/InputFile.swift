#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file, or standard input, read front to back in pieces as large as the caller's buffer.
package struct InputFile: ~Copyable {
    /// The name as problems print it.
    package let name: String

    /// True if bytes that have been read can be read again.
    package let isSeekable: Bool
    private let descriptor: Int32

    /// Whether reading may wait for whoever writes a pipe.
    package enum Patience: Sendable {
        case waits
        /// Only regular files are read: a process in operation has other things to do.
        case neverWaits
    }

    /// Opens `path`; `-` is standard input.
    package init(path: String, _ patience: Patience = .waits) throws(UsageProblem) {
        name = path == "-" ? "standard input" : TerminalText.escaped(path)
        descriptor = try Self.open(path, named: name, patience)
        // Not standard input, even where that is a file: it may have been handed over half read.
        isSeekable = descriptor > 0 && lseek(descriptor, 0, SEEK_CUR) >= 0
    }

    private static func open(
        _ path: String,
        named name: String,
        _ patience: Patience
    ) throws(UsageProblem) -> Int32 {
        let isStandardInput = path == "-"
        if isStandardInput, patience == .waits { return 0 }
        let flags = O_RDONLY | O_CLOEXEC | (patience == .neverWaits ? O_NONBLOCK : 0)
        let descriptor = isStandardInput ? -1 : systemOpen(path, flags)
        guard descriptor >= 0 || isStandardInput else {
            throw UsageProblem("cannot open \(name): \(lastSystemErrorText())")
        }
        if patience == .neverWaits, !isRegular(descriptor) {
            if descriptor >= 0 { close(descriptor) }
            throw UsageProblem("cannot read \(name) again: it is no regular file")
        }
        return descriptor
    }

    private static func systemOpen(_ path: String, _ flags: Int32) -> Int32 {
        // SAFETY: open copies the path.
        #if canImport(Glibc)
        unsafe Glibc.open(path, flags)
        #else
        unsafe Darwin.open(path, flags)
        #endif
    }

    private static func isRegular(_ descriptor: Int32) -> Bool {
        var status = stat()
        // SAFETY: the call writes one status, which outlives it.
        guard unsafe fstat(descriptor, &status) == 0 else { return false }
        return status.st_mode & S_IFMT == S_IFREG
    }

    deinit {
        if descriptor > 0 { close(descriptor) }
    }

    /// How large the file is, before anything of it is read; nil where that is not known.
    package var size: Int? {
        guard isSeekable else { return nil }
        let end = lseek(descriptor, 0, SEEK_END)
        guard end >= 0, lseek(descriptor, 0, SEEK_SET) == 0 else { return nil }
        return Int(end)
    }

    /// Reads until `buffer` is full or the file ends, and returns how many bytes came.
    package mutating func read(into buffer: inout [UInt8]) throws(UsageProblem) -> Int {
        let capacity = buffer.count
        var filled = 0
        while filled < capacity {
            let count = unsafe buffer.withUnsafeMutableBytes { all in
                // SAFETY: the range lies in the array, which lives throughout the call.
                unsafe Self.read(descriptor, all[filled...])
            }
            if count == 0 { break }
            if count > 0 {
                filled += count
            } else if errno != EINTR {
                throw UsageProblem("cannot read \(name): \(lastSystemErrorText())")
            }
        }
        return filled
    }

    /// Up to `count` bytes from `offset`, or nil where the file is a pipe or cannot be read.
    package func bytes(at offset: Int, count: Int) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        let found = unsafe buffer.withUnsafeMutableBytes { all in
            // SAFETY: base and count describe the array, which lives throughout the call.
            unsafe pread(descriptor, all.baseAddress, all.count, off_t(offset))
        }
        guard found >= 0 else { return nil }
        return Array(buffer.prefix(found))
    }

    private static func read(_ descriptor: Int32, _ region: Slice<UnsafeMutableRawBufferPointer>)
        -> Int
    {
        let region = unsafe UnsafeMutableRawBufferPointer(rebasing: region)
        #if canImport(Glibc)
        return unsafe Glibc.read(descriptor, region.baseAddress, region.count)
        #else
        return unsafe Darwin.read(descriptor, region.baseAddress, region.count)
        #endif
    }
}

extension InputFile {
    /// The whole of a text file, at most `limit` bytes of it.
    package static func text(
        ofPath path: String,
        limit: Int = 1 << 20,
        _ patience: Patience = .waits
    ) throws(UsageProblem) -> String {
        var file = try InputFile(path: path, patience)
        var buffer = [UInt8](repeating: 0, count: limit + 1)
        let count = try file.read(into: &buffer)
        guard count <= limit else {
            throw UsageProblem("\(file.name) is larger than \(SizeText.exact(limit))")
        }
        guard let text = String(validating: buffer.prefix(count), as: UTF8.self) else {
            throw UsageProblem("\(file.name) is not UTF-8 text")
        }
        return text
    }
}

/// What the last system call that failed met, in the system's words.
func lastSystemErrorText() -> String {
    let code = errno
    // SAFETY: strerror returns a string that outlives the copy made of it here.
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
}
