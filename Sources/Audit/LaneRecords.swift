internal import Dispatch

/// The records of one lane, rendered as they are made, and handed to the log together.
///
/// Nothing but bytes goes to another thread, and that once for all the records of a turn. The last
/// quarter of the memory that the log may hold is for records of requests alone: one upload may
/// have any number of parts, and theirs shall not push out what says that there was a request.
///
/// Confined to its lane.
package final class LaneRecords {
    /// So many bytes are handed over at once.
    private static let mostHeld = 64 << 10

    private let log: AuditLog
    private let whenSome: (LaneRecords) -> Void
    private var encoder: RecordEncoder
    private var count: UInt64 = 0

    /// Makes an empty one.
    ///
    /// - Parameters:
    ///   - log: Where the records go.
    ///   - whenSome: Called with the first record after each `handOver`, which it has to call soon.
    package init(to log: AuditLog, whenSome: @escaping (LaneRecords) -> Void = { _ in }) {
        self.log = log
        self.whenSome = whenSome
        encoder = log.makeEncoder()
    }

    /// Records a part; never waits for a disk.
    package func append(_ record: PartRecord) {
        if log.isDiscarding { return }
        let before = encoder.bytes.count
        encoder.append(record)
        keep(from: before, atMost: log.maximumHeldBytes - log.maximumHeldBytes / 4)
    }

    /// Records a request; never waits for a disk.
    package func append(_ record: RequestRecord) {
        if log.isDiscarding { return }
        let before = encoder.bytes.count
        encoder.append(record)
        keep(from: before, atMost: log.maximumHeldBytes)
    }

    private func keep(from start: Int, atMost limit: Int) {
        guard encoder.bytes.count <= limit - log.heldBytes else {
            encoder.forget(from: start)
            return log.drop()
        }
        count += 1
        if encoder.bytes.count >= Self.mostHeld {
            handOver()
        } else if count == 1 {
            whenSome(self)
        }
    }

    /// Gives the log all records so far.
    package func handOver() {
        guard count > 0 else { return }
        log.append(encoder.bytes, count: count)
        encoder.clear()
        count = 0
    }
}
