/// Writes batches of records, and says when that fails.
///
/// It is used from the log's own queue only, and is all of the log that ever waits for a disk.
struct AuditWriter: ~Copyable {
    /// What became of a batch.
    struct Outcome {
        var written: UInt64 = 0
        var failed: UInt64 = 0

        /// Sentences for the operator.
        var notices: [String] = []
    }

    /// A batch that was larger than this gives its memory back.
    private static let keptBytes = 1 << 20

    private var file: LogFile?
    private let fileName: String
    private var failureNotices: NoticeLimiter
    private var failedSoFar: UInt64 = 0

    /// True from a notice of failure to the next write that succeeds, which is said too.
    private var saidFailure = false

    /// The batch: filled by the log, cleared by `writeBatch`.
    var batch = AuditQueue.Batch()

    init(file: consuming LogFile?, named fileName: String, failureNotices: NoticeLimiter) {
        self.file = file
        self.fileName = fileName
        self.failureNotices = failureNotices
    }

    /// Writes the batch, and clears it.
    ///
    /// What cannot be written is lost and counted; the next batch is tried again.
    mutating func writeBatch(now: UInt64) -> Outcome {
        var outcome = Outcome()
        var start = 0
        for place in batch.reopenings {
            write(start..<place, now: now, to: &outcome)
            reopen(noting: &outcome)
            start = place
        }
        write(start..<batch.bytes.count, now: now, to: &outcome)
        batch.clear(keeping: Self.keptBytes)
        return outcome
    }

    mutating func close() { file = nil }

    private mutating func reopen(noting outcome: inout Outcome) {
        do throws(SystemFailure) {
            try file?.reopen()
        } catch {
            outcome.notices.append(
                "cannot reopen \(fileName), going on with the old file: \(error)"
            )
        }
    }

    /// Writes the lines of a range of the batch.
    private mutating func write(_ range: Range<Int>, now: UInt64, to outcome: inout Outcome) {
        guard !range.isEmpty else { return }
        let isWhole = range.count == batch.bytes.count
        let lines = isWhole ? batch.lineCount : batch.bytes[range].lineEnds
        let wholeLines: UInt64
        let failure: SystemFailure?
        let bytes = batch.bytes
        if let result = file?.write(bytes.span.extracting(range)) {
            failure = result.failure
            let written = bytes[range].prefix(result.writtenBytes)
            wholeLines = failure == nil ? lines : written.lineEnds
        } else {
            (failure, wholeLines) = (nil, 0)
        }
        outcome.written += wholeLines
        outcome.failed += lines - wholeLines
        failedSoFar += lines - wholeLines
        if let failure {
            guard failureNotices.admits(at: now) else { return }
            saidFailure = true
            outcome.notices.append(
                "cannot write to \(fileName): \(failure); \(failedSoFar) records lost"
            )
        } else if saidFailure {
            saidFailure = false
            outcome.notices.append(
                "writing to \(fileName) again, after \(failedSoFar) lost records"
            )
        }
    }
}

extension ArraySlice<UInt8> {
    /// How many lines end here.
    fileprivate var lineEnds: UInt64 {
        reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
