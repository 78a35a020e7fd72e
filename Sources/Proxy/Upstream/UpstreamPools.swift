internal import Transport

/// One lane's pools, one for each group of upstreams that the settings name.
struct UpstreamPools {
    private let lane: Lane
    private let directory: UpstreamDirectory
    private var timeouts: Timeouts
    private var pools: [[Address]: UpstreamPool] = [:]

    init(for settings: ProxySettings, of directory: UpstreamDirectory, on lane: Lane) {
        self.lane = lane
        self.directory = directory
        timeouts = settings.timeouts
        open(for: settings)
    }

    /// What holds for requests under `settings`.
    func rules(of settings: ProxySettings) -> ExchangeRules {
        ExchangeRules(settings, pool: pool(for: settings.destination))
    }

    /// The pool of a destination; nil for the built-in upload API, which needs none.
    private func pool(for destination: Destination) -> UpstreamPool? {
        guard case .upstreams(let addresses) = destination else { return nil }
        return pools[addresses]
    }

    /// Opens what new settings need, and retires what they do not; the others keep what waits.
    mutating func reload(_ settings: ProxySettings) {
        let keepsOld = settings.timeouts == timeouts
        timeouts = settings.timeouts
        for (addresses, pool) in pools {
            if keepsOld, settings.destinations.contains(.upstreams(addresses)) {
                pool.balance = settings.balance
            } else {
                pool.retire()
                pools[addresses] = nil
            }
        }
        open(for: settings)
    }

    func closeAll() {
        for pool in pools.values { pool.closeAll() }
    }

    private mutating func open(for settings: ProxySettings) {
        for case .upstreams(let addresses) in settings.destinations where pools[addresses] == nil {
            pools[addresses] = UpstreamPool(
                group: directory.group(of: addresses),
                of: directory,
                lane: lane,
                settings: settings
            )
        }
    }
}
