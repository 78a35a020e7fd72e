import Foundation
import Glibc
import Testing

/// A directory of a test's own, removed with everything in it when the test is over.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "weir-audit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func callAsFunction(_ name: String) -> String { path + "/" + name }

    func contents(of name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: self(name))))
    }

    /// Makes a named pipe.
    func makePipe(_ name: String) throws {
        let code = unsafe mkfifo(self(name), 0o600)
        try #require(code == 0)
    }
}

/// The reading end of a named pipe.
final class PipeReader: Sendable {
    private let descriptor: Int32

    /// Opens without waiting for a writer; reads wait for one's bytes.
    init(path: String) throws {
        descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(descriptor >= 0)
        try #require(fcntl(descriptor, F_SETFL, 0) == 0)
    }

    deinit { Glibc.close(descriptor) }

    func readToEnd() -> [UInt8] {
        var result: [UInt8] = []
        while true {
            let next = read(64 << 10)
            if next.isEmpty { return result }
            result += next
        }
    }

    /// Reads exactly `count` bytes, or up to the end.
    func read(_ count: Int) -> [UInt8] {
        var result: [UInt8] = []
        while result.count < count {
            let next = unsafe [UInt8](unsafeUninitializedCapacity: count - result.count) {
                // SAFETY: the kernel writes at most the buffer's count of bytes.
                unsafe $1 = max(0, Glibc.read(descriptor, $0.baseAddress, $0.count))
            }
            if next.isEmpty { break }
            result += next
        }
        return result
    }
}
