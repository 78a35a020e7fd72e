internal import Transport

/// One connection to an upstream: it belongs to an exchange, or waits in the pool.
final class UpstreamConnection {
    let stream: Stream
    let endpoint: UpstreamEndpoint

    /// It carried an exchange before, so it may have gone stale while it waited.
    private(set) var isReused = false

    /// Ends its wait; the pool's.
    var idleDeadline: Deadline?

    /// Counts the exchange it belongs to; paused while it waits.
    private let use: EndpointUse
    private var bytesBefore: UInt64 = 0
    private var readBefore: UInt64 = 0

    /// A new one, for the exchange that `use` counts.
    init(stream: Stream, for use: EndpointUse) {
        self.stream = stream
        self.use = use
        endpoint = use.endpoint
    }

    /// Bytes written for the exchange it belongs to.
    var sentBytes: Int { Int(clamping: stream.bytesWritten - bytesBefore) }

    /// Something has come from it since the exchange took it.
    var hasSpoken: Bool { stream.bytesRead != readBefore }

    /// It begins to wait.
    func endUse() { use.pause() }

    /// It leaves the pool for its next exchange.
    func beginReuse() {
        isReused = true
        bytesBefore = stream.bytesWritten
        readBefore = stream.bytesRead
        use.resume()
    }
}
