internal import Audit
internal import Inspection
internal import Transport

/// One event loop of the proxy, with everything its connections share.
///
/// All of it is touched on the lane alone; that is what makes it safe to pass between the
/// closures that run there.
final class ProxyLane: @unchecked Sendable {  // confined to `lane`
    let lane: Lane
    let audit: AuditLog
    let shared: SharedCounters
    private(set) var settings: ProxySettings
    private var pools: UpstreamPools
    private(set) var isDraining = false
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private var onEmpty: (() -> Void)?

    init(lane: Lane, settings: ProxySettings, audit: AuditLog, shared: SharedCounters) {
        self.lane = lane
        self.settings = settings
        self.audit = audit
        self.shared = shared
        pools = UpstreamPools(for: settings, on: lane)
    }

    /// The connections to an upstream that wait for work; nil for the built-in upload API.
    func pool(for destination: Destination) -> UpstreamPool? { pools.pool(for: destination) }

    /// A client has connected.
    func accept(_ stream: Stream) {
        let connection = insert(ClientConnection(stream: stream, lane: self))
        if shared.admitConnection(limit: settings.connections) {
            connection.place = .admitted
            if isDraining { connection.turnAway(.draining) } else { connection.start() }
        } else {
            if shared.admitLingering() { connection.place = .lingering }
            connection.turnAway(.tooManyConnections)
        }
    }

    /// A client has connected, and nothing is left to serve it with: it is closed at once.
    func refuse(_ stream: Stream) {
        insert(ClientConnection(stream: stream, lane: self)).turnAway(.outOfDescriptors)
    }

    private func insert(_ connection: ClientConnection) -> ClientConnection {
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    func remove(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        switch connection.place {
        case .admitted: shared.releaseConnection()
        case .lingering: shared.releaseLingering()
        case .none: break
        }
        if connections.isEmpty { reportEmpty() }
    }

    /// New exchanges use `settings`; those in flight keep what they began with.
    func reload(_ settings: ProxySettings) {
        self.settings = settings
        pools.reload(settings)
    }

    /// Closes what is idle, lets what is in flight end, and calls `onFinished` when all is gone.
    func drain(onFinished: @escaping () -> Void) {
        isDraining = true
        onEmpty = onFinished
        for connection in Array(connections.values) { connection.drain() }
        if connections.isEmpty { reportEmpty() }
    }

    /// Ends what is still in flight.
    func cutAll() {
        for connection in Array(connections.values) { connection.cut() }
    }

    private func reportEmpty() {
        guard isDraining, let finished = onEmpty else { return }
        onEmpty = nil
        pools.closeAll()
        finished()
    }

    /// One line for each request in flight.
    func statusLines() -> [String] {
        connections.values.compactMap(\.statusLine)
    }
}
