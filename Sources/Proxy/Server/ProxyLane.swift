internal import Audit
internal import HTTP1
internal import Inspection
internal import Transport

/// One event loop of the proxy, with everything its connections share.
///
/// All of it is touched on the lane alone; that is what makes it safe to pass between the
/// closures that run there.
final class ProxyLane: @unchecked Sendable {  // confined to `lane`
    let lane: Lane
    let records: LaneRecords
    let shared: SharedCounters
    private(set) var settings: ProxySettings
    private var pools: UpstreamPools

    /// What holds where no route does, and on each route.
    private var rules: ExchangeRules
    private var routeRules: [ExchangeRules]
    private(set) var isDraining = false
    let pairing = UploadPairing()
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    private var onEmpty: (() -> Void)?

    init(
        lane: Lane,
        settings: ProxySettings,
        audit: AuditLog,
        shared: SharedCounters,
        directory: UpstreamDirectory
    ) {
        self.lane = lane
        self.settings = settings
        records = LaneRecords(to: audit) { [lane] records in
            lane.later { records.handOver() }
        }
        self.shared = shared
        let pools = UpstreamPools(for: settings, of: directory, on: lane)
        self.pools = pools
        rules = pools.rules(of: settings)
        routeRules = settings.routes.routes.indices.map { pools.rules(of: settings.taking($0)) }
    }

    /// What holds for `request`, and whether its route is ambiguous.
    func rules(for request: RequestHead) -> (ExchangeRules, ProxySettings.Ambiguity) {
        let (index, ambiguity) = settings.route(of: request)
        return (index.map { routeRules[$0] } ?? rules, ambiguity)
    }

    /// A client has connected.
    func accept(_ stream: Stream) {
        switch shared.admit(stream.peer, by: settings) {
        case .admitted(let place):
            let connection = insert(stream, in: place)
            if isDraining { connection.turnAway(.draining) } else { connection.start() }
        case .refused(let reason):
            insert(stream, in: .turnedAway).turnAway(reason)
        case .unheard:
            stream.reset()
        }
    }

    /// A client has connected, and nothing is left to serve it with: it is told so, and closed.
    func refuse(_ stream: Stream) {
        insert(stream, in: .refused).turnAway(.outOfDescriptors)
    }

    private func insert(_ stream: Stream, in place: ConnectionPlace) -> ClientConnection {
        let connection = ClientConnection(stream: stream, in: place, lane: self)
        connections[ObjectIdentifier(connection)] = connection
        return connection
    }

    func remove(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        shared.release(connection.place)
        if connections.isEmpty { reportEmpty() }
    }

    /// New exchanges use `settings`; those in flight keep what they began with.
    func reload(_ settings: ProxySettings) {
        self.settings = settings
        pools.reload(settings)
        rules = pools.rules(of: settings)
        routeRules = settings.routes.routes.indices.map { pools.rules(of: settings.taking($0)) }
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
        records.handOver()
    }

    private func reportEmpty() {
        guard isDraining, let finished = onEmpty else { return }
        onEmpty = nil
        pools.closeAll()
        records.handOver()
        finished()
    }

    /// One line for each request in flight.
    func statusLines() -> [String] {
        connections.values.compactMap(\.statusLine)
    }
}
