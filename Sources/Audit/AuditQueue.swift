internal import Inspection

/// The records that wait to be written, bounded by the memory they hold.
///
/// A record that does not fit is dropped and counted: an upload is never held up, nor the process
/// filled, because a disk is slow. The last quarter is for records of requests alone: one upload
/// may have any number of parts, and theirs shall not push out what says that there was a request.
struct AuditQueue: Sendable {
    /// A record of either kind, or what is to be done between two records.
    enum Entry: Sendable {
        case part(PartRecord)
        // Indirect, so that the many part records do not carry the size of the largest one.
        indirect case request(RequestRecord)
        /// Open the file by its path again.
        case reopen
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

    private var entries: [Entry] = []

    /// Memory held by `entries`.
    private var waitingBytes = 0

    /// Memory held by `entries` and by what was taken but is not yet settled.
    private var heldBytes = 0
    private let maximumHeldBytes: Int
    private var isWriteScheduled = false
    private var dropNotices: NoticeLimiter

    init(maximumHeldBytes: Int, dropNotices: NoticeLimiter) {
        self.maximumHeldBytes = maximumHeldBytes
        self.dropNotices = dropNotices
    }

    /// Takes a record in, or drops it; the time is asked for only then.
    mutating func append(_ entry: Entry, now: () -> UInt64) -> Action {
        let cost = entry.heldBytes
        guard !isClosed, cost <= limit(for: entry) - heldBytes else {
            counters.dropped += 1
            if isClosed { return .nothing }
            return dropNotices.admits(at: now()) ? .sayDropped(counters.dropped) : .nothing
        }
        waitingBytes += cost
        heldBytes += cost
        return enqueue(entry)
    }

    private func limit(for entry: Entry) -> Int {
        switch entry {
        case .part: maximumHeldBytes - maximumHeldBytes / 4
        case .request, .reopen: maximumHeldBytes
        }
    }

    /// Has the file opened again after the records so far, however many they are.
    mutating func appendReopen() -> Action { isClosed ? .nothing : enqueue(.reopen) }

    private mutating func enqueue(_ entry: Entry) -> Action {
        entries.append(entry)
        if isWriteScheduled { return .nothing }
        isWriteScheduled = true
        return .scheduleWrite
    }

    /// Moves all records into `batch`, which is empty.
    ///
    /// - Returns: How much memory they hold, and are held to hold until they are settled; nil if
    ///   there are none.
    mutating func take(into batch: inout [Entry]) -> Int? {
        guard !entries.isEmpty else {
            isWriteScheduled = false
            return nil
        }
        swap(&entries, &batch)
        defer { waitingBytes = 0 }
        return waitingBytes
    }

    /// Records what became of a batch.
    mutating func settle(_ outcome: AuditWriter.Outcome, heldBytes freed: Int) {
        counters.written += outcome.written
        counters.failed += outcome.failed
        heldBytes -= freed
    }

    mutating func close() { isClosed = true }
}

extension AuditQueue.Entry {
    /// About how much memory the entry holds: its own, and that of the texts a client chose.
    ///
    /// A sum of lengths of texts that are all in memory cannot overflow.
    var heldBytes: Int {
        switch self {
        case .part(let record):
            let report = record.report
            let texts = report.name.heldBytes + report.filename.heldBytes
            return 1_024 + texts + report.contentType.heldBytes
        case .request(let record):
            let texts = record.target.heldBytes + record.path.heldBytes + record.query.heldBytes
            let details = record.findings.reduce(0) { $0 + 256 + $1.detail.utf8.count }
            return 2_048 + texts + record.userAgent.heldBytes + details
        case .reopen:
            return 0
        }
    }
}

extension String? {
    fileprivate var heldBytes: Int { self?.utf8.count ?? 0 }
}
