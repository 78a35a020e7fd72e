/// Renders and writes batches of records, and says when that fails.
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

    /// A write is begun once this much is rendered, or the batch is at its end.
    private static let writeBytes = 256 << 10

    /// A batch that was larger than this gives its memory back.
    private static let keptEntries = 4_096

    private var file: LogFile?
    private let fileName: String
    private var encoder: RecordEncoder
    private var failureNotices: NoticeLimiter
    private var failedSoFar: UInt64 = 0

    /// True from a notice of failure to the next write that succeeds, which is said too.
    private var saidFailure = false

    /// The batch: filled by the log, emptied by `writeBatch`.
    var batch: [AuditQueue.Entry] = []

    init(
        file: consuming LogFile?,
        named fileName: String,
        encoder: RecordEncoder,
        failureNotices: NoticeLimiter
    ) {
        self.file = file
        self.fileName = fileName
        self.encoder = encoder
        self.failureNotices = failureNotices
    }

    /// Writes the batch, and empties it.
    ///
    /// What cannot be written is lost and counted; the next batch is tried again.
    mutating func writeBatch(now: UInt64) -> Outcome {
        var outcome = Outcome()
        var renderedLines: UInt64 = 0
        for entry in batch {
            switch entry {
            case .part(let record): encoder.append(record)
            case .request(let record): encoder.append(record)
            case .reopen:
                write(&renderedLines, now: now, to: &outcome)
                reopen(noting: &outcome)
                continue
            }
            renderedLines += 1
            if encoder.bytes.count >= Self.writeBytes {
                write(&renderedLines, now: now, to: &outcome)
            }
        }
        write(&renderedLines, now: now, to: &outcome)
        batch.removeAll(keepingCapacity: batch.count <= Self.keptEntries)
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

    /// Writes the rendered lines, of which there are none then.
    private mutating func write(_ lines: inout UInt64, now: UInt64, to outcome: inout Outcome) {
        guard lines > 0 else { return }
        defer { lines = 0 }
        let bytes = encoder.takeLines()
        let wholeLines: UInt64
        let failure: SystemFailure?
        if let result = file?.write(bytes.span) {
            failure = result.failure
            wholeLines = failure == nil ? lines : bytes.countLineEnds(within: result.writtenBytes)
        } else {
            (failure, wholeLines) = (nil, 0)
        }
        encoder.reuse(consume bytes)
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

extension [UInt8] {
    /// How many lines end within the first `count` bytes.
    fileprivate func countLineEnds(within count: Int) -> UInt64 {
        prefix(count).reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
    }
}
