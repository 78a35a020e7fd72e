internal import Synchronization
internal import Transport

/// One upstream as the operator named it, and the addresses it has at the moment.
///
/// An address keeps its health for as long as the name keeps the address. A name that can no
/// longer be looked up keeps those it had.
final class UpstreamName: Sendable {
    let address: Address

    private struct State {
        var endpoints: [UpstreamEndpoint] = []
        var isBeingLookedUp = false
        var isFailing = false
        var lastEnd: Instant?
    }

    /// What a look-up has brought.
    enum News: Equatable {
        case same
        case moved
        case resolvesAgain
        /// For the first time in a row; the flag says whether older addresses are left.
        case failed(hasAddresses: Bool)
    }

    /// How soon after a look-up another one may begin.
    private static let leastInterval = Duration.seconds(1)

    private let state: Mutex<State>
    private let watch: UpstreamWatch

    init(_ address: Address, watch: UpstreamWatch) {
        self.address = address
        self.watch = watch
        var state = State()
        if let numeric = address.numeric {
            state.endpoints = [UpstreamEndpoint(numeric, of: address, watch: watch)]
        }
        self.state = Mutex(state)
    }

    /// True if its address is written out, and nobody has to look it up.
    var isNumeric: Bool { address.numeric != nil }

    var endpoints: [UpstreamEndpoint] { state.withLock { $0.endpoints } }

    var isBeingLookedUp: Bool { state.withLock { $0.isBeingLookedUp } }

    /// True if a look-up is to begin now: none is under way, or has just ended.
    func beginLookUp(at now: Instant) -> Bool {
        state.withLock { state in
            if state.isBeingLookedUp || isNumeric { return false }
            if let end = state.lastEnd, now - end < Self.leastInterval { return false }
            state.isBeingLookedUp = true
            return true
        }
    }

    /// Takes what a look-up has brought.
    func endLookUp(_ result: Result<[SocketAddress], TransportError>, at now: Instant) -> News {
        state.withLock { state in
            state.isBeingLookedUp = false
            state.lastEnd = now
            guard case .success(let addresses) = result else {
                defer { state.isFailing = true }
                return state.isFailing ? .same : .failed(hasAddresses: !state.endpoints.isEmpty)
            }
            let wasFailing = state.isFailing
            state.isFailing = false
            let hasMoved = move(&state.endpoints, to: addresses)
            return wasFailing ? .resolvesAgain : hasMoved ? .moved : .same
        }
    }

    /// Keeps what is still there, in its order, and adds what is new; true if a known name moved.
    private func move(_ endpoints: inout [UpstreamEndpoint], to addresses: [SocketAddress]) -> Bool
    {
        let isFirst = endpoints.isEmpty
        let gone = endpoints.filter { !addresses.contains($0.address) }
        let new = addresses.filter { address in !endpoints.contains { $0.address == address } }
        for endpoint in gone { endpoint.retire() }
        endpoints.removeAll { endpoint in gone.contains { $0 === endpoint } }
        endpoints += new.map { UpstreamEndpoint($0, of: address, watch: watch) }
        return !isFirst && !(gone.isEmpty && new.isEmpty)
    }
}
