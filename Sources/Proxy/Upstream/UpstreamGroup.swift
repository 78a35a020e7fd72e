internal import Synchronization
internal import Transport

/// The upstreams that share the requests of a route: any of their addresses may have any request.
final class UpstreamGroup: Sendable {
    /// Connections that one request may try to make: it was sent to none of them.
    private static let mostTries = 3

    let names: [UpstreamName]

    /// Counts requests, over all lanes, so that their turns are those of the whole proxy.
    private let turn = Atomic<UInt>(0)

    init(_ names: [UpstreamName]) {
        self.names = names
    }

    /// The addresses to try for one request, the best one first; empty where none is known.
    ///
    /// One that rests comes last, and is never left out: a proxy that refuses because of what it
    /// remembers is worse than an upstream that may be well again.
    func candidates(at now: Instant, by balance: Balance) -> ArraySlice<UpstreamEndpoint> {
        let all = names.count == 1 ? names[0].endpoints : names.flatMap(\.endpoints)
        guard all.count > 1 else { return all[...] }
        let start = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        let trial = all.first { $0.claimTrial(at: now) }
        var good = Self.turned(all.filter { $0.isGood && $0 !== trial }, by: start)
        if balance == .leastConnections {
            let counts = good.map(\.useCount)
            // Of equals the first, whose turn it is.
            if let best = counts.indices.min(by: { counts[$0] < counts[$1] }) {
                good.insert(good.remove(at: best), at: 0)
            }
        }
        var order = trial.map { [$0] } ?? []
        order += good
        if order.count < Self.mostTries {
            let others = all.filter { endpoint in !order.contains { $0 === endpoint } }
            order += Self.turned(others, by: start)
        }
        return order.prefix(Self.mostTries)
    }

    private static func turned(
        _ endpoints: [UpstreamEndpoint],
        by turn: UInt
    ) -> [UpstreamEndpoint] {
        guard endpoints.count > 1 else { return endpoints }
        let start = Int(turn % UInt(endpoints.count))
        return Array(endpoints[start...] + endpoints[..<start])
    }
}
