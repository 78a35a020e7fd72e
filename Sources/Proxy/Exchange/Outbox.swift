internal import Transport

/// What is being written to one stream: bytes of our own, a run lent by a body window, and bytes
/// of our own after it.
///
/// It is one vectored write where the socket takes it whole. The run is a count, not a place: it
/// is the first bytes of the window, wherever they have been moved to meanwhile.
struct Outbox {
    private var before: [UInt8] = []
    private var beforeSent = 0
    private(set) var runCount = 0
    private var after: [UInt8] = []

    /// True once everything given has been written.
    var isEmpty: Bool {
        beforeSent == before.count && runCount == 0 && after.isEmpty
    }

    /// Adds bytes of our own; only while no run is being written.
    mutating func append(_ bytes: [UInt8]) {
        precondition(runCount == 0 && after.isEmpty, "a run is still being written")
        if beforeSent == before.count {
            before = bytes
            beforeSent = 0
        } else {
            before += bytes
        }
    }

    /// Adds the first `count` bytes of the window, and the bytes that follow them.
    mutating func append(run count: Int, then following: [UInt8] = []) {
        precondition(runCount == 0 && after.isEmpty, "one run at a time")
        runCount = count
        after = following
    }

    enum Progress {
        /// Everything is written.
        case done
        /// The socket takes no more for now.
        case blocked
        case failed(TransportError)
    }

    /// Writes as much as the socket takes, and passes the written part of the run in `window`.
    ///
    /// - Parameters:
    ///   - stream: Where to.
    ///   - window: Whose first bytes are the run.
    ///   - buffer: The window's buffer.
    ///   - onRun: Told where each written piece of the run lies, before it is passed.
    /// - Returns: Whether everything is written, and if not, why.
    mutating func write(
        to stream: Stream,
        lending window: inout BodyWindow,
        of buffer: ByteBuffer?,
        onRun: (Range<Int>) -> Void = { _ in }
    ) -> Progress {
        while !isEmpty {
            let start = window.body.lowerBound
            let pieces = Pieces(
                prefix: before,
                from: beforeSent,
                run: start..<start + runCount,
                of: buffer,
                suffix: after
            )
            switch stream.write(pieces) {
            case .bytes(let count):
                let lent = advance(count)
                if lent > 0 {
                    onRun(start..<start + lent)
                    window.pass(lent)
                }
            case .wouldBlock: return .blocked
            case .failed(let error): return .failed(error)
            }
        }
        return .done
    }

    /// Marks `count` bytes as written, and returns how many of them were the run's.
    private mutating func advance(_ count: Int) -> Int {
        let head = min(count, before.count - beforeSent)
        beforeSent += head
        let lent = min(count - head, runCount)
        runCount -= lent
        after.removeFirst(count - head - lent)
        if beforeSent == before.count, !before.isEmpty {
            before.removeAll(keepingCapacity: true)
            beforeSent = 0
        }
        return lent
    }
}
