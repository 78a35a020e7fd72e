internal import Transport

/// One lane's pools, one for each upstream that the settings name.
struct UpstreamPools {
    private let lane: Lane
    private var timeouts: Timeouts
    private var pools: [Address: UpstreamPool] = [:]

    init(for settings: ProxySettings, on lane: Lane) {
        self.lane = lane
        timeouts = settings.timeouts
        open(for: settings)
    }

    /// The pool of a destination; nil for the built-in upload API, which needs none.
    func pool(for destination: Destination) -> UpstreamPool? {
        guard case .upstream(let address) = destination else { return nil }
        return pools[address]
    }

    /// Opens what new settings need, and retires what they do not; the others keep what waits.
    mutating func reload(_ settings: ProxySettings) {
        let keepsOld = settings.timeouts == timeouts
        timeouts = settings.timeouts
        for (address, pool) in pools
        where !keepsOld || !settings.destinations.contains(.upstream(address)) {
            pool.retire()
            pools[address] = nil
        }
        open(for: settings)
    }

    func closeAll() {
        for pool in pools.values { pool.closeAll() }
    }

    private mutating func open(for settings: ProxySettings) {
        for case .upstream(let address) in settings.destinations where pools[address] == nil {
            pools[address] = UpstreamPool(address: address, lane: lane, timeouts: timeouts)
        }
    }
}
