internal import Synchronization
internal import Transport

/// What all lanes share: who is connected, and the way to the operator.
final class SharedCounters: Sendable {
    enum Admission {
        case admitted(ConnectionPlace)
        /// It may be told why.
        case refused(ProxyReason)
        /// So many are being told already that this one just ends.
        case unheard
    }

    let troubles: TroubleNotices

    private let served = Atomic<Int>(0)
    private let turnedAway = Atomic<Int>(0)
    private let networks = Mutex<[SocketAddress: Int]>([:])

    init(troubles: TroubleNotices) {
        self.troubles = troubles
    }

    /// Counts one more connection from `peer`, if `settings` have room for it.
    ///
    /// What is `admitted` or `refused` is to be released again. A load balancer that passes
    /// connections on is nobody's address: who is behind it is counted by `place(for:by:)`.
    func admit(_ peer: SocketAddress, by settings: ProxySettings) -> Admission {
        guard take(served, limit: settings.connections) else {
            return refuse(.tooManyConnections, by: settings)
        }
        if settings.proxyProtocol == .required { return .admitted(.served(network: nil)) }
        if let place = place(for: peer, by: settings) { return .admitted(place) }
        served.wrappingSubtract(1, ordering: .relaxed)
        return refuse(.tooManyFromAddress, by: settings)
    }

    /// Counts a connection that is served against the network of `source`; nil if that has as many
    /// as it may have.
    func place(for source: SocketAddress, by settings: ProxySettings) -> ConnectionPlace? {
        guard let limit = settings.connectionsPerAddress, let network = source.network else {
            return .served(network: nil)
        }
        let hasRoom = networks.withLock { networks in
            let count = networks[network] ?? 0
            guard count < limit else { return false }
            networks[network] = count + 1
            return true
        }
        return hasRoom ? .served(network: network) : nil
    }

    func release(_ place: ConnectionPlace) {
        switch place {
        case .refused:
            break
        case .turnedAway:
            turnedAway.wrappingSubtract(1, ordering: .relaxed)
        case .served(let network):
            served.wrappingSubtract(1, ordering: .relaxed)
            guard let network else { return }
            networks.withLock { networks in
                let count = (networks[network] ?? 1) - 1
                networks[network] = count > 0 ? count : nil
            }
        }
    }

    /// Who is turned away still holds a socket while it reads why; that has a bound as well.
    private func refuse(_ reason: ProxyReason, by settings: ProxySettings) -> Admission {
        let limit = max(64, settings.connections / 10)
        return take(turnedAway, limit: limit) ? .refused(reason) : .unheard
    }

    private func take(_ counter: borrowing Atomic<Int>, limit: Int) -> Bool {
        let before = counter.wrappingAdd(1, ordering: .relaxed).oldValue
        guard before < limit else {
            counter.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        return true
    }
}
