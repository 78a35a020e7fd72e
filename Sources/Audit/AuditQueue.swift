/// The rendered records that wait to be written, bounded by the memory they take.
///
/// Whoever has records asks `room` before it keeps them, so that what comes here fits, but for what
/// several have kept at once: an upload is never held up, nor the process filled, because a disk is
/// slow.
struct AuditQueue: Sendable {
    /// Lines, and the places between them at which the file is opened by its path again.
    struct Batch: Sendable {
        var bytes: [UInt8] = []
        var lineCount: UInt64 = 0
        var reopenings: [Int] = []

        /// Forgets all of it, and keeps its memory if that is no more than `kept`.
        mutating func clear(keeping kept: Int) {
            bytes.removeAll(keepingCapacity: bytes.capacity <= kept)
            lineCount = 0
            reopenings.removeAll()
        }
    }

    /// What the caller of `append` has to do.
    enum Action: Equatable {
        case nothing
        /// Have the queue written, soon.
        case scheduleWrite
        /// Say that records were dropped, so many so far.
        case sayDropped(UInt64)
    }

    private(set) var counters = AuditLog.Counters()
    private(set) var isClosed = false

    private var waiting = Batch()

    /// Bytes that wait, and those of what was taken but is not yet settled.
    private(set) var heldBytes = 0
    private var isWriteScheduled = false
    private var dropNotices: NoticeLimiter

    init(dropNotices: NoticeLimiter) {
        self.dropNotices = dropNotices
    }

    /// Takes `count` lines in; none once it is closed.
    mutating func append(_ lines: [UInt8], count: UInt64) -> Action {
        guard !isClosed else {
            counters.dropped += count
            return .nothing
        }
        waiting.bytes += lines
        waiting.lineCount += count
        heldBytes += lines.count
        return schedule()
    }

    /// Counts a record for which there was no room; the time is asked for only then.
    mutating func drop(now: () -> UInt64) -> Action {
        counters.dropped += 1
        if isClosed { return .nothing }
        return dropNotices.admits(at: now()) ? .sayDropped(counters.dropped) : .nothing
    }

    /// Has the file opened again after the records so far, however many they are.
    mutating func appendReopen() -> Action {
        if isClosed { return .nothing }
        waiting.reopenings.append(waiting.bytes.count)
        return schedule()
    }

    private mutating func schedule() -> Action {
        if isWriteScheduled { return .nothing }
        isWriteScheduled = true
        return .scheduleWrite
    }

    /// Moves all that waits into `batch`, which is clear.
    ///
    /// - Returns: False if there is nothing.
    mutating func take(into batch: inout Batch) -> Bool {
        guard !waiting.bytes.isEmpty || !waiting.reopenings.isEmpty else {
            isWriteScheduled = false
            return false
        }
        swap(&waiting, &batch)
        return true
    }

    /// Records what became of a batch of so many bytes.
    mutating func settle(_ outcome: AuditWriter.Outcome, bytes: Int) {
        counters.written += outcome.written
        counters.failed += outcome.failed
        heldBytes -= bytes
    }

    mutating func close() { isClosed = true }
}
