internal import Dispatch
internal import Synchronization
internal import Transport

/// All upstreams that the settings name: it looks up their names, again and again, and asks their
/// addresses for their health.
///
/// It works on a lane of its own, which carries no request. `Sendable` because the rest lies
/// behind the mutex.
final class UpstreamDirectory: @unchecked Sendable {  // confined to `lane`, but for `state`
    /// How often a name is looked up that has no address at all.
    private static let urgentInterval = Duration.seconds(1)

    private struct State {
        var names: [Address: UpstreamName] = [:]
        var groups: [[Address]: UpstreamGroup] = [:]
        var settings: ProxySettings
    }

    /// Who waits for the first address of a group.
    private struct Waiter {
        let group: UpstreamGroup
        let wake: @Sendable () -> Void
    }

    private let lane = Lane(label: "upstreams", bufferCapacity: 16 << 10, maximumFreeBuffers: 4)
    private let state: Mutex<State>
    private let watch: UpstreamWatch
    private let lookUp: Resolver.LookUp

    private var waiters: [Waiter] = []
    private var checks: [ObjectIdentifier: HealthCheck] = [:]

    /// Which round of timers is in force; those of earlier settings end by it.
    private var round = 0

    init(
        for settings: ProxySettings,
        by lookUp: @escaping Resolver.LookUp,
        say: @escaping @Sendable (String) -> Void
    ) {
        self.lookUp = lookUp
        let watch = UpstreamWatch(health: settings.health, say: say)
        self.watch = watch
        state = Mutex(State(settings: settings))
        state.withLock { Self.open(settings, in: &$0, watch) }
        watch.onConnectFailure { [weak self] address in self?.refresh(address) }
    }

    /// The group of upstreams that `addresses` name.
    func group(of addresses: [Address]) -> UpstreamGroup {
        state.withLock { state in
            if let group = state.groups[addresses] { return group }
            // Settings that were replaced a moment ago; nobody else will ask for it.
            let names = addresses.map { address in
                state.names[address] ?? UpstreamName(address, watch: watch)
            }
            return UpstreamGroup(names)
        }
    }

    /// Begins to look up and to ask.
    func start() {
        lane.run { self.beginRound() }
    }

    /// Takes new settings, before the lanes do; what stays the same keeps its health.
    func reload(_ settings: ProxySettings) {
        watch.health = settings.health
        state.withLock { state in
            state.settings = settings
            Self.open(settings, in: &state, watch)
        }
        lane.run { self.beginRound() }
    }

    /// Looks nothing up any more unless somebody waits for it, and asks nobody.
    func stop() {
        lane.run {
            self.round += 1
            self.endChecks()
        }
    }

    /// One line for each address.
    func statusLines() -> [String] {
        let names = state.withLock { $0.names.values }.sorted {
            $0.address.description < $1.address.description
        }
        return names.flatMap { name in
            let endpoints = name.endpoints
            return endpoints.isEmpty
                ? ["upstream \(name.address) has no address"] : endpoints.map(\.statusLine)
        }
    }

    private static func open(
        _ settings: ProxySettings,
        in state: inout State,
        _ watch: UpstreamWatch
    ) {
        var names: [Address: UpstreamName] = [:]
        var groups: [[Address]: UpstreamGroup] = [:]
        for case .upstreams(let addresses) in settings.destinations {
            for address in addresses where names[address] == nil {
                names[address] = state.names[address] ?? UpstreamName(address, watch: watch)
            }
            groups[addresses] =
                state.groups[addresses] ?? UpstreamGroup(addresses.compactMap { names[$0] })
        }
        state.names = names
        state.groups = groups
    }

    // MARK: Names

    private func beginRound() {
        round += 1
        endChecks()
        let settings = state.withLock { $0.settings }
        lookUpAll(inRound: round)
        if settings.health.asks { checkAll(inRound: round) }
    }

    /// Looks all names up, and does so again when the time has come.
    private func lookUpAll(inRound round: Int) {
        guard round == self.round else { return }
        let (names, interval) = state.withLock {
            ($0.names.values.filter { !$0.isNumeric }, $0.settings.resolve)
        }
        guard !names.isEmpty else { return }
        for name in names { begin(name) }
        let isUrgent = names.contains { $0.endpoints.isEmpty }
        after(isUrgent ? min(interval, Self.urgentInterval) : interval) {
            $0.lookUpAll(inRound: round)
        }
    }

    private func refresh(_ address: Address) {
        guard address.numeric == nil else { return }
        lane.run {
            if let name = self.state.withLock({ $0.names[address] }) { self.begin(name) }
        }
    }

    private func begin(_ name: UpstreamName) {
        guard name.beginLookUp(at: lane.now) else { return }
        Resolver.resolve(name.address, on: lane, by: lookUp) { [self] result in
            report(name.endLookUp(result, at: lane.now), of: name, result)
            wakeWaiters()
        }
    }

    private func report(
        _ news: UpstreamName.News,
        of name: UpstreamName,
        _ result: Result<[SocketAddress], TransportError>
    ) {
        let addresses = name.endpoints.map(\.address.description).joined(separator: ", ")
        switch (news, result) {
        case (.failed(let hasAddresses), .failure(let error)):
            let rest =
                hasAddresses
                ? "its last addresses stay in use"
                : "until it has an address its requests are answered with 502"
            watch.say("upstream \(name.address) cannot be looked up (\(error.text)); \(rest)")
        case (.moved, _): watch.say("upstream \(name.address) is now at \(addresses)")
        case (.resolvesAgain, _):
            watch.say("upstream \(name.address) is found again, at \(addresses)")
        case (.same, _), (.failed, _): break
        }
    }

    /// Calls `wake` once there is an address in `group`, or none can be found for now.
    ///
    /// May be called from any thread.
    func awaitAddress(in group: UpstreamGroup, wake: @escaping @Sendable () -> Void) {
        lane.run {
            self.waiters.append(Waiter(group: group, wake: wake))
            for name in group.names { self.begin(name) }
            self.wakeWaiters()
        }
    }

    private func wakeWaiters() {
        let isOver = { (waiter: Waiter) in
            waiter.group.names.contains { !$0.endpoints.isEmpty }
                || !waiter.group.names.contains(where: \.isBeingLookedUp)
        }
        for waiter in waiters where isOver(waiter) { waiter.wake() }
        waiters.removeAll(where: isOver)
    }

    // MARK: Health

    /// Asks every address that is not being asked already, and again when the time has come.
    private func checkAll(inRound round: Int) {
        guard round == self.round else { return }
        let (names, settings) = state.withLock { (Array($0.names.values), $0.settings) }
        guard let path = settings.health.path else { return }
        for endpoint in names.flatMap(\.endpoints) {
            let id = ObjectIdentifier(endpoint)
            guard checks[id] == nil else { continue }
            let check = HealthCheck(of: endpoint, target: path, on: lane) { [weak self] in
                self?.checks[id] = nil
            }
            checks[id] = check
            check.start(within: settings.timeouts.connect)
        }
        after(settings.health.every) { $0.checkAll(inRound: round) }
    }

    private func endChecks() {
        for check in checks.values { check.cancel() }
        checks = [:]
    }

    // MARK: Time

    /// Does `work` on the lane when `interval` has passed, if this directory still exists.
    private func after(
        _ interval: Duration,
        _ work: @escaping @Sendable (UpstreamDirectory) -> Void
    ) {
        let nanoseconds = Int(clamping: interval.nanoseconds)
        lane.queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            if let self { work(self) }
        }
    }
}
