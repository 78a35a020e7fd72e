import Audit
import Dispatch
import Foundation
import Glibc
import Synchronization
import Testing

@Suite struct LogFileTests {
    @Test func linesAreAppendedToWhatIsThere() throws {
        let directory = try TemporaryDirectory()
        let path = directory("log")
        for line in ["one\n", "two\n"] {
            var file = try LogFile(path: path)
            let outcome = file.write(Array(line.utf8).span)
            #expect(outcome == LogFile.Outcome(writtenBytes: 4, failure: nil))
        }
        #expect(try directory.contents(of: "log") == Array("one\ntwo\n".utf8))
    }

    @Test func aNewFileIsNotForEverybody() throws {
        let directory = try TemporaryDirectory()
        _ = try LogFile(path: directory("log"))
        let attributes = try FileManager.default.attributesOfItem(atPath: directory("log"))
        let permissions = attributes[.posixPermissions] as? Int ?? 0o777
        #expect(permissions & ~0o640 == 0 && permissions & 0o600 == 0o600)
    }

    @Test func whatCannotBeOpenedIsAnError() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: SystemFailure(operation: "open", code: ENOENT)) {
            _ = try LogFile(path: directory("missing/log"))
        }
        #expect(throws: SystemFailure(operation: "open", code: EISDIR)) {
            _ = try LogFile(path: directory.path)
        }
        try directory.makePipe("pipe")
        #expect(throws: SystemFailure(operation: "open", code: ENXIO)) {
            _ = try LogFile(path: directory("pipe"))
        }
    }

    @Test func aFullDiskIsAnOutcome() throws {
        var file = try LogFile(path: "/dev/full")
        let outcome = file.write(Array("line\n".utf8).span)
        #expect(outcome.writtenBytes == 0)
        #expect(outcome.failure == SystemFailure(operation: "write", code: ENOSPC))
        #expect(outcome.failure?.description == "write: No space left on device")
    }

    @Test func reopeningFollowsThePath() throws {
        let directory = try TemporaryDirectory()
        var file = try LogFile(path: directory("log"))
        _ = file.write(Array("old\n".utf8).span)
        try FileManager.default.moveItem(atPath: directory("log"), toPath: directory("log.1"))
        _ = file.write(Array("moved\n".utf8).span)
        try file.reopen()
        _ = file.write(Array("new\n".utf8).span)
        #expect(try directory.contents(of: "log.1") == Array("old\nmoved\n".utf8))
        #expect(try directory.contents(of: "log") == Array("new\n".utf8))
    }

    @Test func aFailedReopenKeepsTheOldFile() throws {
        let directory = try TemporaryDirectory()
        let inner = directory("inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        var file = try LogFile(path: inner + "/log")
        try FileManager.default.moveItem(atPath: inner, toPath: directory("moved"))
        var failure: SystemFailure?
        do throws(SystemFailure) { try file.reopen() } catch { failure = error }
        #expect(failure == SystemFailure(operation: "open", code: ENOENT))
        _ = file.write(Array("still\n".utf8).span)
        #expect(try directory.contents(of: "moved/log") == Array("still\n".utf8))
    }

    /// A full pipe is waited for, and the write goes on where it stopped.
    @Test func aSlowReaderGetsEverything() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        let reader = try PipeReader(path: directory("pipe"))
        var lines: [UInt8] = []
        for number in 0..<50_000 { lines += Array("line \(number)\n".utf8) }
        let all = lines
        let file = Mutex(try LogFile(path: directory("pipe")))
        let outcome = Mutex<LogFile.Outcome?>(nil)
        let writing = DispatchQueue(label: "writing")
        writing.async {
            let result = file.withLock { $0.write(all.span) }
            outcome.withLock { $0 = result }
        }
        let isWhole = reader.read(all.count) == all
        #expect(isWhole)
        writing.sync {}
        #expect(outcome.withLock { $0 } == LogFile.Outcome(writtenBytes: all.count, failure: nil))
    }

    @Test func aBrokenPipeIsAnErrorNotTheEnd() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        var reader: PipeReader? = try PipeReader(path: directory("pipe"))
        var file = try LogFile(path: directory("pipe"))
        _ = reader?.read(0)
        reader = nil
        let outcome = file.write(Array("line\n".utf8).span)
        #expect(outcome.failure == SystemFailure(operation: "write", code: EPIPE))
    }

    @Test func aBorrowedDescriptorStaysOpen() throws {
        let directory = try TemporaryDirectory()
        let descriptor = unsafe open(directory("log"), O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(descriptor >= 0)
        do {
            var file = LogFile(borrowing: descriptor)
            _ = file.write(Array("line\n".utf8).span)
            try file.reopen()
        }
        #expect(fcntl(descriptor, F_GETFD) >= 0)
        close(descriptor)
        #expect(try directory.contents(of: "log") == Array("line\n".utf8))
    }
}
