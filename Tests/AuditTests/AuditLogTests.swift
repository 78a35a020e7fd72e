import Audit
import Dispatch
import Foundation
import Inspection
import Synchronization
import Testing

@Suite struct AuditLogTests {
    @Test func recordsAreWrittenInOrder() throws {
        let directory = try TemporaryDirectory()
        let log = try AuditLog(destination: .file(directory("log")), format: .ecs, version: "1")
        log.append(part(thread: 0, number: 0))
        log.append(Samples.request)
        log.append(part(thread: 0, number: 1))
        #expect(log.flush())
        let actions = try records(directory.contents(of: "log")).map { $0["event.action"] }
        #expect(actions == ["upload-part", "upload", "upload-part"])
        #expect(log.counters == AuditLog.Counters(written: 3))
        #expect(log.close())
    }

    @Test func textIsWrittenToo() throws {
        let directory = try TemporaryDirectory()
        let log = try AuditLog(destination: .file(directory("log")), format: .text, version: "1")
        log.append(Samples.part)
        log.append(Samples.request)
        #expect(log.close())
        let lines = try directory.contents(of: "log").split(separator: 0x0A)
        #expect(lines.count == 2)
        #expect(lines.last?.starts(with: "22:19:57.123 203.0.113.7 POST".utf8) == true)
    }

    /// What one thread appends keeps its order, and nothing is lost or torn.
    @Test func orderIsKeptUnderConcurrentAppends() throws {
        let directory = try TemporaryDirectory()
        let log = try AuditLog(destination: .file(directory("log")), format: .ecs, version: "1")
        let (threads, each) = (8, 250)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<each { log.append(part(thread: thread, number: number)) }
        }
        #expect(log.close())
        var seen: [String: [Int]] = [:]
        for record in try records(directory.contents(of: "log")) {
            guard case .string(let thread) = record["upload.part.name"],
                case .integer(let number) = record["event.sequence"]
            else {
                Issue.record("a record without name or sequence")
                return
            }
            seen[thread, default: []].append(number)
        }
        #expect(seen.count == threads)
        for numbers in seen.values { #expect(numbers == Array(0..<each)) }
        #expect(log.counters == AuditLog.Counters(written: UInt64(threads * each)))
    }

    /// A lane tells once that it has records, and gives them together; many it gives at once.
    @Test func aLaneHandsItsRecordsOverTogether() throws {
        let directory = try TemporaryDirectory()
        let log = try AuditLog(destination: .file(directory("log")), format: .ecs, version: "1")
        var told = 0
        let lane = LaneRecords(to: log) { _ in told += 1 }
        for number in 0..<3 { lane.append(part(thread: 0, number: number)) }
        #expect(told == 1)
        log.append(part(thread: 1, number: 0))
        lane.handOver()
        lane.handOver()
        lane.append(Samples.request)
        #expect(told == 2)
        for number in 3..<200 { lane.append(part(thread: 0, number: number)) }
        lane.handOver()
        #expect(log.close())
        let written = try records(directory.contents(of: "log"))
        #expect(written.count == 202 && log.counters.written == 202)
        #expect(written.first?["upload.part.name"] == .string("thread 1"))
        #expect(isAscending(written.filter { $0["upload.part.name"] == .string("thread 0") }))
    }

    /// A reader that does not read costs records, counted, and never more memory than the bound.
    @Test func whatDoesNotFitIsDroppedAndCounted() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        let reader = try PipeReader(path: directory("pipe"))
        let said = Notices()
        let log = try AuditLog(
            destination: .file(directory("pipe")),
            format: .ecs,
            version: "1",
            maximumQueuedBytes: 64 << 10,
            say: said.append
        )
        for number in 0..<1_000 { log.append(part(thread: 0, number: number)) }
        // The pipe takes 64 KiB and the queue as much: fewer than 200 records.
        #expect(log.counters.dropped > 800)
        let output = Mutex<[UInt8]>([])
        let reading = DispatchQueue(label: "reading")
        reading.async {
            let bytes = reader.readToEnd()
            output.withLock { $0 = bytes }
        }
        #expect(log.close())
        reading.sync {}
        let written = try records(output.withLock { $0 })
        let counters = log.counters
        #expect(counters.written == UInt64(written.count) && counters.written > 0)
        #expect(counters.written + counters.dropped == 1_000 && counters.failed == 0)
        #expect(isAscending(written))
        // Once while it lasted, and the sum at the end.
        #expect(said.sentences.filter { $0.contains("faster") }.count == 1)
        #expect(said.sentences.last?.contains("\(counters.dropped) records were dropped") == true)
    }

    /// However many parts one upload has, there is room to say that there were requests.
    @Test func partsDoNotPushOutRequests() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        let reader = try PipeReader(path: directory("pipe"))
        let log = try AuditLog(
            destination: .file(directory("pipe")),
            format: .ecs,
            version: "1",
            maximumQueuedBytes: 128 << 10,
            say: { _ in }
        )
        for number in 0..<2_000 { log.append(part(thread: 0, number: number)) }
        let dropped = log.counters.dropped
        #expect(dropped > 0)
        for _ in 0..<8 { log.append(Samples.request) }
        #expect(log.counters.dropped == dropped)
        let reading = DispatchQueue(label: "reading")
        let output = Mutex<[UInt8]>([])
        reading.async {
            let bytes = reader.readToEnd()
            output.withLock { $0 = bytes }
        }
        #expect(log.close())
        reading.sync {}
        let actions = try records(output.withLock { $0 }).map { $0["event.action"] }
        #expect(actions.count { $0 == "upload" } == 8)
    }

    /// A full disk is said once, counted, and over when the disk is.
    @Test func aFullDiskIsSurvived() throws {
        let directory = try TemporaryDirectory()
        let path = directory("log")
        try FileManager.default.createSymbolicLink(
            atPath: path,
            withDestinationPath: "/dev/full"
        )
        let said = Notices()
        let log = try AuditLog(
            destination: .file(path),
            format: .ecs,
            version: "1",
            say: said.append
        )
        for number in 0..<5 {
            log.append(part(thread: 0, number: number))
            #expect(log.flush())
        }
        #expect(log.counters == AuditLog.Counters(failed: 5))
        #expect(said.sentences.count == 1)
        #expect(said.sentences.first?.contains("No space left on device") == true)

        try FileManager.default.removeItem(atPath: path)
        log.reopen()
        log.append(part(thread: 0, number: 5))
        #expect(log.flush())
        #expect(log.counters == AuditLog.Counters(written: 1, failed: 5))
        #expect(said.sentences.last?.contains("again, after 5 lost records") == true)
        #expect(try records(directory.contents(of: "log")).count == 1)
    }

    /// What is appended before `reopen` is in the old file, what is appended after it in the new.
    @Test func reopeningAfterARenameLosesNothing() throws {
        let directory = try TemporaryDirectory()
        let log = try AuditLog(destination: .file(directory("log")), format: .ecs, version: "1")
        for round in 0..<3 {
            log.append(part(thread: round, number: 0))
            log.append(part(thread: round, number: 1))
            #expect(log.flush())
            try FileManager.default.moveItem(
                atPath: directory("log"),
                toPath: directory("log.\(round)")
            )
            log.append(part(thread: round, number: 2))
            log.reopen()
        }
        #expect(log.close())
        for round in 0..<3 {
            let names = try records(directory.contents(of: "log.\(round)")).map {
                $0["upload.part.name"]
            }
            #expect(names == Array(repeating: .string("thread \(round)"), count: 3))
        }
        #expect(try directory.contents(of: "log").isEmpty)
    }

    @Test func aFailedReopenKeepsTheOldFile() throws {
        let directory = try TemporaryDirectory()
        let inner = directory("inner")
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: false)
        let said = Notices()
        let log = try AuditLog(
            destination: .file(inner + "/log"),
            format: .ecs,
            version: "1",
            say: said.append
        )
        log.append(Samples.part)
        #expect(log.flush())
        try FileManager.default.moveItem(atPath: inner, toPath: directory("moved"))
        log.reopen()
        log.append(Samples.request)
        #expect(log.close())
        #expect(said.sentences.count == 1)
        #expect(said.sentences.first?.contains("cannot reopen") == true)
        #expect(try records(directory.contents(of: "moved/log")).count == 2)
    }

    /// The reader leaves within a line; a new one finds at most that line torn, and all others
    /// whole.
    @Test func aBrokenPipeTearsNoOtherLine() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        var reader: PipeReader? = try PipeReader(path: directory("pipe"))
        let said = Notices()
        let log = try AuditLog(
            destination: .file(directory("pipe")),
            format: .ecs,
            version: "1",
            say: said.append
        )
        for number in 0..<500 { log.append(part(thread: 0, number: number)) }
        // The pipe cannot hold them all, so the writer is still writing when its reader leaves.
        let first = reader?.read(10_000) ?? []
        reader = nil
        #expect(log.flush())
        #expect(log.counters.failed > 0)
        #expect(said.sentences.first?.contains("Broken pipe") == true)

        let second = try PipeReader(path: directory("pipe"))
        let rest = Mutex<[UInt8]>([])
        let reading = DispatchQueue(label: "reading")
        reading.async {
            let bytes = second.readToEnd()
            rest.withLock { $0 = bytes }
        }
        log.append(part(thread: 1, number: 500))
        #expect(log.close())
        reading.sync {}
        let lines = (first + rest.withLock { $0 }).split(separator: 0x0A)
        let whole = lines.compactMap { try? JSONValue(parsing: $0).flattened }
        #expect(lines.count - whole.count <= 1)
        #expect(whole.last?["upload.part.name"] == "thread 1")
        #expect(isAscending(whole))
        let counters = log.counters
        #expect(counters.written == UInt64(whole.count))
        #expect(counters.written + counters.failed == 501)
    }

    @Test func aStandstillDoesNotHoldUpTheEnd() throws {
        let directory = try TemporaryDirectory()
        try directory.makePipe("pipe")
        let reader = try PipeReader(path: directory("pipe"))
        let log = try AuditLog(destination: .file(directory("pipe")), format: .ecs, version: "1")
        for number in 0..<500 { log.append(part(thread: 0, number: number)) }
        #expect(!log.flush(within: .milliseconds(20)))
        let reading = DispatchQueue(label: "reading")
        reading.async { _ = reader.readToEnd() }
        #expect(log.close())
        reading.sync {}
        #expect(log.counters == AuditLog.Counters(written: 500))
    }

    @Test func aClosedLogTakesNothing() throws {
        let directory = try TemporaryDirectory()
        let said = Notices()
        let log = try AuditLog(
            destination: .file(directory("log")),
            format: .ecs,
            version: "1",
            say: said.append
        )
        log.append(Samples.part)
        #expect(log.close())
        log.append(Samples.part)
        #expect(log.close())
        #expect(log.counters == AuditLog.Counters(written: 1, dropped: 1))
        #expect(try records(directory.contents(of: "log")).count == 1)
    }

    @Test func noDestinationIsNoWork() throws {
        let log = try AuditLog(destination: .none, format: .ecs, version: "1")
        log.append(Samples.part)
        log.append(Samples.request)
        log.reopen()
        #expect(log.close())
        #expect(log.counters == AuditLog.Counters())
    }

    @Test func aFileThatCannotBeOpenedIsSaidAtOnce() throws {
        let directory = try TemporaryDirectory()
        #expect(throws: SystemFailure.self) {
            _ = try AuditLog(
                destination: .file(directory("missing/log")),
                format: .ecs,
                version: "1"
            )
        }
    }

    private func part(thread: Int, number: Int) -> PartRecord {
        var record = Samples.part
        record.report.name = "thread \(thread)"
        record.sequence = UInt64(number)
        return record
    }

    private func records(_ bytes: [UInt8]) throws -> [[String: JSONValue]] {
        #expect(bytes.last == 0x0A)
        return try bytes.split(separator: 0x0A).map { try JSONValue(parsing: $0).flattened }
    }

    private func isAscending(_ records: [[String: JSONValue]]) -> Bool {
        let numbers = records.map { record -> Int in
            if case .integer(let number) = record["event.sequence"] { number } else { -1 }
        }
        return zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 }
    }
}

/// Collects what the log tells the operator.
private final class Notices: Sendable {
    private let collected = Mutex<[String]>([])

    var sentences: [String] { collected.withLock { $0 } }

    var append: @Sendable (String) -> Void {
        { sentence in self.collected.withLock { $0.append(sentence) } }
    }
}
