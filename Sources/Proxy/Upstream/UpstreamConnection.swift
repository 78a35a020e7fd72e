internal import Transport

/// One connection to the upstream: it belongs to an exchange, or waits in the pool.
final class UpstreamConnection {
    let stream: Stream

    /// It carried an exchange before, so it may have gone stale while it waited.
    var isReused = false

    private var bytesBefore: UInt64 = 0

    init(stream: Stream) {
        self.stream = stream
    }

    /// Bytes written for the exchange it belongs to.
    var sentBytes: Int { Int(clamping: stream.bytesWritten - bytesBefore) }

    /// It leaves the pool for its next exchange.
    func beginReuse() {
        isReused = true
        bytesBefore = stream.bytesWritten
    }
}
