package import Dispatch
internal import Glibc
internal import Synchronization

/// Writes audit records to a file, without ever holding up those who make them.
///
/// `LaneRecords` puts rendered records into a bounded queue and returns; a serial queue of the log's
/// own writes what has gathered, a few milliseconds later and in one write. Records of one lane
/// keep their order. A record that finds the queue full is dropped; one that cannot be written is
/// lost; both are counted, and said to the operator now and then. Neither stops the proxy.
package final class AuditLog: Sendable {
    /// Where records are written.
    package enum Destination: Equatable, Sendable {
        case standardOutput
        /// A file, created if it does not exist, and appended to.
        case file(String)
        case none
    }

    /// What became of records so far.
    package struct Counters: Equatable, Sendable {
        package var written: UInt64 = 0
        /// Not taken in, because the queue was full or the log closed.
        package var dropped: UInt64 = 0
        /// Lost because the file could not be written.
        package var failed: UInt64 = 0

        package init(written: UInt64 = 0, dropped: UInt64 = 0, failed: UInt64 = 0) {
            self.written = written
            self.dropped = dropped
            self.failed = failed
        }
    }

    /// How long records gather before they are written.
    ///
    /// Waking the writer costs a lane more than the record does; so it is woken once for many.
    private static let gatherTime = DispatchTimeInterval.milliseconds(5)

    /// A trouble that lasts is said this often.
    private static let noticeIntervalNanoseconds: UInt64 = 10_000_000_000

    /// Records are taken in and forgotten.
    let isDiscarding: Bool

    /// How much memory the records that wait may take.
    let maximumHeldBytes: Int
    private let encoder: RecordEncoder
    private let queue: Mutex<AuditQueue>

    /// What the queue holds, for lanes to look at without a lock.
    private let held = Atomic<Int>(0)

    /// Used on `writing` only; the lock is there for the compiler, and nobody waits for it.
    private let writer: Mutex<AuditWriter>
    private let writing = DispatchQueue(label: "weir.audit.writing", qos: .utility)

    /// Notices have a queue of their own: they are needed most when writing stands still.
    private let notices = DispatchQueue(label: "weir.audit.notices", qos: .utility)
    private let say: @Sendable (String) -> Void

    /// Opens the log.
    ///
    /// - Parameters:
    ///   - destination: Where records are written; `none` takes them in and forgets them.
    ///   - format: How they are rendered.
    ///   - version: The version of Weir that records name.
    ///   - maximumQueuedBytes: How much memory the records that wait may hold.
    ///   - say: Tells the operator of trouble; called on a queue of the log's own.
    /// - Throws: Why the file cannot be opened.
    package init(
        destination: Destination,
        format: AuditFormat,
        version: String,
        maximumQueuedBytes: Int = 16 << 20,
        say: @escaping @Sendable (String) -> Void = AuditLog.sayOnStandardError
    ) throws(SystemFailure) {
        let limiter = NoticeLimiter(intervalNanoseconds: Self.noticeIntervalNanoseconds)
        encoder = RecordEncoder(format: format, version: version)
        maximumHeldBytes = maximumQueuedBytes
        queue = Mutex(AuditQueue(dropNotices: limiter))
        self.say = say
        isDiscarding = destination == .none
        writer = Mutex(
            AuditWriter(
                file: try destination.open(),
                named: destination.name,
                failureNotices: limiter
            )
        )
    }

    package var counters: Counters { queue.withLock { $0.counters } }

    /// Opens the file by its path again, between the records before and those after this call.
    ///
    /// It does not wait for that; if the path cannot be opened, the old file stays in use.
    package func reopen() {
        if isDiscarding { return }
        act(on: queue.withLock { $0.appendReopen() })
    }

    /// Waits until every record appended so far is written, or lost and counted.
    ///
    /// It blocks its thread, so it is not for lanes.
    ///
    /// - Returns: False if the time ran out first, as with a pipe that nobody reads.
    @discardableResult
    package func flush(within timeout: DispatchTimeInterval = .seconds(30)) -> Bool {
        waitForWriting(within: timeout) {}
    }

    /// Flushes, and closes the file; what is appended from now on is dropped.
    ///
    /// - Returns: As `flush(within:)`.
    @discardableResult
    package func close(within timeout: DispatchTimeInterval = .seconds(30)) -> Bool {
        queue.withLock { $0.close() }
        return waitForWriting(within: timeout) {
            self.writer.withLock { $0.close() }
            let total = self.counters
            if total.dropped > 0 || total.failed > 0 {
                self.notify("\(total.dropped) records were dropped and \(total.failed) lost in all")
            }
        }
    }

    /// Writes a line to standard error.
    package static func sayOnStandardError(_ sentence: String) {
        let line = Array("weir: audit log: \(sentence)\n".utf8)
        var errors = LogFile(borrowing: STDERR_FILENO)
        _ = errors.write(line.span)
    }

    // MARK: For lanes

    func makeEncoder() -> RecordEncoder { encoder }

    var heldBytes: Int { held.load(ordering: .relaxed) }

    /// Takes `count` lines in; callable on any thread, and never waits for a disk.
    func append(_ lines: [UInt8], count: UInt64) {
        act(on: change { $0.append(lines, count: count) })
    }

    /// Counts a record for which there is no room.
    func drop() {
        act(on: queue.withLock { $0.drop { DispatchTime.now().uptimeNanoseconds } })
    }

    /// Changes the queue, and tells the lanes what it holds then.
    private func change<Result: Sendable>(
        _ body: (inout AuditQueue) -> Result
    ) -> Result {
        queue.withLock { queue in
            let result = body(&queue)
            held.store(queue.heldBytes, ordering: .relaxed)
            return result
        }
    }

    private func act(on action: AuditQueue.Action) {
        switch action {
        case .nothing: break
        case .scheduleWrite:
            writing.asyncAfter(deadline: .now() + Self.gatherTime) { self.writeQueued() }
        case .sayDropped(let count):
            notify("records come faster than they can be written; \(count) dropped")
        }
    }

    /// Writes what is queued, does `last`, and waits for both and for the notices of both.
    private func waitForWriting(
        within timeout: DispatchTimeInterval,
        last: @escaping @Sendable () -> Void
    ) -> Bool {
        let done = DispatchGroup()
        done.enter()
        writing.async {
            self.writeQueued()
            last()
            self.notices.async { done.leave() }
        }
        return done.wait(timeout: .now() + timeout) == .success
    }

    /// Writes until the queue is empty.
    private func writeQueued() {
        dispatchPrecondition(condition: .onQueue(writing))
        writer.withLock { writer in
            while queue.withLock({ $0.take(into: &writer.batch) }) {
                let bytes = writer.batch.bytes.count
                let outcome = writer.writeBatch(now: DispatchTime.now().uptimeNanoseconds)
                change { $0.settle(outcome, bytes: bytes) }
                outcome.notices.forEach(notify)
            }
        }
    }

    private func notify(_ sentence: String) {
        notices.async { self.say(sentence) }
    }
}

extension AuditLog.Destination {
    /// What to call it in a sentence.
    fileprivate var name: String {
        switch self {
        case .standardOutput: "standard output"
        case .file(let path): path
        case .none: "nothing"
        }
    }

    fileprivate func open() throws(SystemFailure) -> LogFile? {
        switch self {
        case .standardOutput: LogFile(borrowing: STDOUT_FILENO)
        case .file(let path): try LogFile(path: path)
        case .none: nil
        }
    }
}
