internal import Transport

/// One lane's way to one upstream: its addresses, and the connections that wait for work.
///
/// Only a connection whose last request and response were both complete comes here. It is watched
/// while it waits: end of stream, or a byte nobody asked for, and it is gone. The one used last is
/// taken first, so that the others can grow old and close.
final class UpstreamPool: StreamDelegate {
    /// A connection that waits, and how long it may.
    private struct Idle {
        let connection: UpstreamConnection
        let deadline: Deadline
    }

    private static let maximumIdleCount = 64

    /// How long a resolved name is believed; a failed connection ends the belief at once.
    private static let resolutionLifetime = Duration.seconds(30)

    private let lane: Lane
    private let address: Address
    private let idleTimeout: Duration
    private var idle: [Idle] = []
    private var resolved: [SocketAddress] = []
    private var resolvedUntil = Instant(nanoseconds: 0)

    /// No settings name this upstream any more; exchanges that still do end their connections.
    private var isRetired = false

    init(address: Address, lane: Lane, timeouts: Timeouts) {
        self.address = address
        self.lane = lane
        idleTimeout = timeouts.keepAlive
    }

    // MARK: Waiting connections

    /// An idle connection that is still quiet, for `delegate`; nil where there is none.
    func take(for delegate: any StreamDelegate) -> UpstreamConnection? {
        while let candidate = idle.popLast() {
            candidate.deadline.clear()
            let connection = candidate.connection
            if connection.stream.peekState() == .quiet {
                connection.stream.delegate = delegate
                connection.beginReuse()
                return connection
            }
            connection.stream.close()
        }
        return nil
    }

    /// Takes back a connection whose exchange left nothing behind.
    func put(_ connection: UpstreamConnection) {
        guard idle.count < Self.maximumIdleCount, !isRetired else {
            return connection.stream.close()
        }
        let deadline = Deadline(on: lane.deadlines) { [weak self, weak connection] in
            guard let self, let connection else { return }
            discard(connection.stream)
        }
        deadline.set(after: idleTimeout)
        connection.stream.delegate = self
        connection.stream.awaitReadable()
        idle.append(Idle(connection: connection, deadline: deadline))
    }

    /// Closes every waiting connection, and takes no other back.
    func retire() {
        isRetired = true
        closeAll()
    }

    /// Closes every waiting connection.
    func closeAll() {
        for waiting in idle {
            waiting.deadline.clear()
            waiting.connection.stream.close()
        }
        idle.removeAll()
    }

    private func discard(_ stream: Stream) {
        if let index = idle.firstIndex(where: { $0.connection.stream === stream }) {
            idle.remove(at: index).deadline.clear()
        }
        stream.close()
    }

    func streamIsReadable(_ stream: Stream) {
        // A wake-up may be in vain; only a connection with something to say has ended its use.
        if stream.peekState() == .quiet { stream.awaitReadable() } else { discard(stream) }
    }

    func streamIsWritable(_ stream: Stream) {}

    // MARK: New connections

    /// Opens a new connection; the completion is called on the lane, in a later turn.
    func dial(
        for delegate: any StreamDelegate,
        completion: @escaping (Dial.Outcome) -> Void
    ) -> Dial {
        let dial = Dial(on: lane, for: delegate) { [weak self] outcome in
            if case .failed = outcome { self?.forgetAddresses() }
            completion(outcome)
        }
        if lane.now < resolvedUntil {
            dial.connect(to: resolved)
        } else {
            Resolver.resolve(address, on: lane) { [weak self, weak dial] result in
                switch result {
                case .success(let addresses):
                    self?.remember(addresses)
                    dial?.connect(to: addresses)
                case .failure:
                    dial?.fail(.upstreamUnresolved)
                }
            }
        }
        return dial
    }

    private func remember(_ addresses: [SocketAddress]) {
        resolved = addresses
        resolvedUntil = lane.now + Self.resolutionLifetime
    }

    private func forgetAddresses() { resolvedUntil = Instant(nanoseconds: 0) }
}
