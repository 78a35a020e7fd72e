internal import Synchronization
internal import Transport

/// One address of an upstream, as all lanes share it: its health, and how busy it is.
final class UpstreamEndpoint: Sendable {
    let address: SocketAddress
    let addressText: String

    /// The upstream as the operator named it.
    let upstream: Address

    private let watch: UpstreamWatch
    private let health = Mutex(EndpointHealth())
    private let uses = Atomic<Int>(0)
    private let answers = Atomic<Int>(0)
    private let retired = Atomic<Bool>(false)

    init(_ address: SocketAddress, of upstream: Address, watch: UpstreamWatch) {
        self.address = address
        addressText = address.description
        self.upstream = upstream
        self.watch = watch
    }

    /// Requests in flight.
    var useCount: Int { uses.load(ordering: .relaxed) }

    func useBegan() { uses.wrappingAdd(1, ordering: .relaxed) }
    func useEnded() { uses.wrappingSubtract(1, ordering: .relaxed) }

    var isGood: Bool { health.withLock { $0.isGood } }

    /// The name no longer has this address: connections to it end with their use.
    var isRetired: Bool { retired.load(ordering: .relaxed) }

    func retire() { retired.store(true, ordering: .relaxed) }

    func claimTrial(at now: Instant) -> Bool {
        let settings = watch.health
        return health.withLock { $0.claimTrial(at: now, by: settings) }
    }

    // MARK: What became of it

    func succeeded() {
        answers.wrappingAdd(1, ordering: .relaxed)
        tell(health.withLock { $0.succeeded(at: .now) })
    }

    /// A request failed there, for a reason that is the upstream's.
    func failed(_ reason: ProxyReason) {
        let settings = watch.health
        let change = health.withLock { $0.failed(at: .now, by: settings) }
        tell(change, because: reason.rawValue)
        switch reason {
        case .upstreamRefused, .upstreamConnectTimeout: watch.connectFailed(upstream)
        default: break
        }
    }

    func passedCheck() { tell(health.withLock { $0.passedCheck(at: .now) }) }

    func failedCheck(_ why: String) {
        let settings = watch.health
        let change = health.withLock { $0.failedCheck(at: .now, by: settings) }
        tell(change, because: "its health: \(why)")
    }

    private func tell(_ change: EndpointHealth.Change?, because reason: String = "") {
        switch change {
        case nil:
            break
        case .returns:
            watch.say("\(self) is back")
        case .rests(let pause):
            let span = pause == .zero ? "until it is well" : "for \(pause.short)"
            watch.say("\(self) has failed in a row (\(reason)); others are preferred \(span)")
        }
    }

    /// What an operator is told of it.
    var statusLine: String {
        let state =
            switch health.withLock({ $0.state }) {
            case .good: "good"
            case .resting(let until):
                "resting for \((until - .now).short)"
            case .onTrial: "on trial"
            }
        return "\(self) \(state) in_flight=\(useCount)"
            + " answers=\(answers.load(ordering: .relaxed))"
    }
}

extension UpstreamEndpoint: CustomStringConvertible {
    var description: String {
        let named = upstream.numeric == nil ? " (\(upstream))" : ""
        return "upstream \(address)\(named)"
    }
}

extension Duration {
    /// Seconds where they are whole, or else milliseconds.
    fileprivate var short: String {
        let milliseconds = nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
    }
}
