internal import Transport

/// One lane's way to a group of upstreams: which address is next, and the connections that wait
/// for work.
///
/// Only a connection whose last request and response were both complete comes here. It is watched
/// while it waits: end of stream, or a byte nobody asked for, and it is gone. The one used last is
/// taken first, so that the others can grow old and close.
final class UpstreamPool: StreamDelegate {
    /// The way an exchange has got.
    enum Opening {
        case idle(UpstreamConnection)
        case dialing(Dial)
    }

    /// A connection that waits, and how long it may.
    private struct Idle {
        let connection: UpstreamConnection
        let deadline: Deadline
        let since: Instant
    }

    /// A connection that has waited longer is asked whether it is still quiet.
    ///
    /// Servers close them after a while, and this lane may not have been told yet; before that, it
    /// is enough that it was not.
    private static let trust = Duration.seconds(1)

    /// Connections to one address that may wait.
    private static let maximumIdleCount = 64

    private let lane: Lane
    private let group: UpstreamGroup
    private let directory: UpstreamDirectory
    private let idleTimeout: Duration
    private var idle: [ObjectIdentifier: [Idle]] = [:]

    /// How requests are spread.
    var balance: Balance

    /// No settings name this group any more; exchanges that still do end their connections.
    private var isRetired = false

    init(
        group: UpstreamGroup,
        of directory: UpstreamDirectory,
        lane: Lane,
        settings: ProxySettings
    ) {
        self.group = group
        self.directory = directory
        self.lane = lane
        idleTimeout = settings.timeouts.keepAlive
        balance = settings.balance
    }

    // MARK: Taking a connection

    /// Gives `delegate` an idle connection to the address whose turn it is, or opens a new one.
    ///
    /// - Parameters:
    ///   - delegate: Whom the connection is for.
    ///   - mayReuse: An idle connection is good enough.
    ///   - time: How long opening one may take in all.
    ///   - completion: Called with a new connection, or why there is none: on the lane, in a later
    ///     turn.
    /// - Returns: The idle connection, or the attempt to open one.
    func open(
        for delegate: any StreamDelegate,
        mayReuse: Bool,
        within time: Duration,
        completion: @escaping (Dial.Outcome) -> Void
    ) -> Opening {
        let candidates = group.candidates(at: lane.now, by: balance)
        if mayReuse, let best = candidates.first, let idle = take(best, for: delegate) {
            return .idle(idle)
        }
        let dial = Dial(on: lane, for: delegate, within: time, completion: completion)
        if candidates.isEmpty {
            directory.awaitAddress(
                in: group,
                wake: lane.bound { [weak self, weak dial] in
                    guard let self, let dial else { return }
                    dial.connect(to: group.candidates(at: lane.now, by: balance))
                }
            )
        } else {
            dial.connect(to: candidates)
        }
        return .dialing(dial)
    }

    /// An idle connection that is still quiet, for `delegate`; nil where there is none.
    private func take(
        _ endpoint: UpstreamEndpoint,
        for delegate: any StreamDelegate
    ) -> UpstreamConnection? {
        while let candidate = idle[ObjectIdentifier(endpoint)]?.popLast() {
            candidate.deadline.clear()
            let connection = candidate.connection
            let isFresh = lane.now - candidate.since < Self.trust && connection.stream.isQuiet
            if isFresh || connection.stream.peekState() == .quiet {
                connection.stream.delegate = delegate
                connection.beginReuse()
                return connection
            }
            connection.stream.close()
        }
        return nil
    }

    // MARK: Waiting connections

    /// Takes back a connection whose exchange left nothing behind.
    func put(_ connection: UpstreamConnection) {
        connection.endUse()
        let key = ObjectIdentifier(connection.endpoint)
        let count = idle[key]?.count ?? 0
        guard count < Self.maximumIdleCount, !isRetired, !connection.endpoint.isRetired else {
            return connection.stream.close()
        }
        let deadline =
            connection.idleDeadline
            ?? Deadline(on: lane.deadlines) { [weak self, weak connection] in
                guard let self, let connection else { return }
                discard(connection.stream)
            }
        connection.idleDeadline = deadline
        deadline.set(after: idleTimeout)
        connection.stream.delegate = self
        connection.stream.awaitReadable()
        idle[key, default: []].append(
            Idle(connection: connection, deadline: deadline, since: lane.now)
        )
    }

    /// Closes every waiting connection, and takes no other back.
    func retire() {
        isRetired = true
        closeAll()
    }

    /// Closes every waiting connection.
    func closeAll() {
        for waiting in idle.values.joined() {
            waiting.deadline.clear()
            waiting.connection.stream.close()
        }
        idle.removeAll()
    }

    private func discard(_ stream: Stream) {
        for (key, waiting) in idle {
            guard let index = waiting.firstIndex(where: { $0.connection.stream === stream }) else {
                continue
            }
            waiting[index].deadline.clear()
            // An address that is gone leaves nothing behind, and a later one may be in its place.
            idle[key] = waiting.count == 1 ? nil : waiting.removing(at: index)
        }
        stream.close()
    }

    func streamIsReadable(_ stream: Stream) {
        // A wake-up may be in vain; only a connection with something to say has ended its use.
        if stream.peekState() == .quiet { stream.awaitReadable() } else { discard(stream) }
    }

    func streamIsWritable(_ stream: Stream) {}
}

extension Array {
    fileprivate func removing(at index: Int) -> Array {
        var copy = self
        copy.remove(at: index)
        return copy
    }
}
