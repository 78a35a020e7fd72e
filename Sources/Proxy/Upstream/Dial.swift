internal import Transport

/// Getting one new connection to an upstream: its addresses are tried in turn, within one time.
///
/// An address that hangs gets no more than its share of that time, as long as there is another.
/// Dropping or cancelling it ends it in silence.
final class Dial {
    enum Outcome {
        case connected(UpstreamConnection)
        /// With the address tried last, if any was.
        case failed(ProxyReason, SocketAddress?)
    }

    private let lane: Lane
    private weak var delegate: (any StreamDelegate)?
    private var completion: ((Outcome) -> Void)?
    private var attempt: ConnectAttempt?
    private var candidates: ArraySlice<UpstreamEndpoint> = []
    private var current: EndpointUse?
    private let end: Instant

    private lazy var deadline = Deadline(on: lane.deadlines) { [weak self] in self?.timeIsUp() }

    /// Begins; the addresses are told by `connect`.
    init(
        on lane: Lane,
        for delegate: any StreamDelegate,
        within time: Duration,
        completion: @escaping (Outcome) -> Void
    ) {
        self.lane = lane
        self.delegate = delegate
        self.completion = completion
        end = lane.now + time
        deadline.set(at: end)
    }

    /// Tries `endpoints`, first to last.
    func connect(to endpoints: ArraySlice<UpstreamEndpoint>) {
        guard !endpoints.isEmpty else { return finish(.failed(.upstreamUnresolved, nil)) }
        candidates = endpoints
        tryNext(after: .upstreamUnresolved)
    }

    func cancel() {
        completion = nil
        deadline.clear()
        attempt?.cancel()
        attempt = nil
        current = nil
    }

    private func tryNext(after reason: ProxyReason) {
        guard completion != nil else { return }
        guard let endpoint = candidates.popFirst() else {
            return finish(.failed(reason, current?.endpoint.address))
        }
        current = EndpointUse(endpoint)
        deadline.set(after: (end - lane.now) / (candidates.count + 1))
        attempt = Stream.connect(to: endpoint.address, on: lane) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let stream): connected(stream)
            case .failure(let error): failed(error)
            }
        }
    }

    private func connected(_ stream: Stream) {
        guard let current else { return }
        stream.delegate = delegate
        // Killed in the middle of an upload, the proxy must not seem to have finished it.
        stream.breakIfAbandoned()
        finish(.connected(UpstreamConnection(stream: stream, for: current)))
    }

    private func failed(_ error: TransportError) {
        // No other address would be better off.
        if error.isExhaustion { return finish(.failed(.outOfDescriptors, nil)) }
        let reason: ProxyReason = error.isTimeout ? .upstreamConnectTimeout : .upstreamRefused
        if !error.isLocal { current?.endpoint.failed(reason) }
        tryNext(after: reason)
    }

    private func timeIsUp() {
        guard completion != nil else { return }
        guard let current else { return finish(.failed(.upstreamUnresolved, nil)) }
        attempt?.cancel()
        attempt = nil
        current.endpoint.failed(.upstreamConnectTimeout)
        tryNext(after: .upstreamConnectTimeout)
    }

    private func finish(_ outcome: Outcome) {
        guard let completion else { return }
        cancel()
        completion(outcome)
    }
}
