internal import Transport

/// How long, and how much, a client may go on sending after the last answer (RFC 9112 §9.6).
///
/// Our side is shut then, and what comes is dropped: to close at once would destroy the answer on
/// its way to a client that is still sending.
struct Farewell {
    private static let mostBytes = 8 << 20

    private var end: Instant
    private var idle: Duration
    private var byteCount = 0

    /// Begins at `now`; while the proxy shuts down, what is over does not hold it up for long.
    init(at now: Instant, isDraining: Bool) {
        end = now + .seconds(30)
        idle = .seconds(5)
        if isDraining { hurry(at: now) }
    }

    /// The proxy shuts down.
    mutating func hurry(at now: Instant) {
        end = min(end, now + .seconds(2))
        idle = .milliseconds(500)
    }

    /// So many bytes more have come.
    mutating func note(_ count: Int) { byteCount += count }

    func lasts(at now: Instant) -> Bool { byteCount < Self.mostBytes && now < end }

    /// How long the next bytes are waited for.
    func patience(at now: Instant) -> Duration { min(idle, end - now) }
}
