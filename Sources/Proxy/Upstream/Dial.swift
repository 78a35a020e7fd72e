internal import Transport

/// Getting one new connection to an upstream: its name is resolved, its addresses tried in turn.
///
/// Dropping or cancelling it ends it in silence.
final class Dial {
    enum Outcome {
        case connected(UpstreamConnection)
        case failed(ProxyReason)
    }

    private let lane: Lane
    private weak var delegate: (any StreamDelegate)?
    private var completion: ((Outcome) -> Void)?
    private var attempt: ConnectAttempt?
    private var candidates: ArraySlice<SocketAddress> = []

    init(
        on lane: Lane,
        for delegate: any StreamDelegate,
        completion: @escaping (Outcome) -> Void
    ) {
        self.lane = lane
        self.delegate = delegate
        self.completion = completion
    }

    /// Tries `addresses`, first to last.
    func connect(to addresses: [SocketAddress]) {
        candidates = addresses[...]
        tryNext(lastError: nil)
    }

    func cancel() {
        completion = nil
        attempt?.cancel()
        attempt = nil
    }

    private func tryNext(lastError: TransportError?) {
        guard completion != nil else { return }
        guard let address = candidates.popFirst() else {
            return finish(.failed(reason(for: lastError)))
        }
        attempt = Stream.connect(to: address, on: lane) { [weak self] result in
            guard let self else { return }
            switch result {
            case .success(let stream):
                stream.delegate = delegate
                // Killed in the middle of an upload, the proxy must not seem to have finished it.
                stream.breakIfAbandoned()
                finish(.connected(UpstreamConnection(stream: stream)))
            case .failure(let error) where error.isExhaustion:
                // No other address would be better off.
                finish(.failed(.outOfDescriptors))
            case .failure(let error):
                tryNext(lastError: error)
            }
        }
    }

    private func reason(for error: TransportError?) -> ProxyReason {
        guard let error else { return .upstreamUnresolved }
        return error.isTimeout ? .upstreamConnectTimeout : .upstreamRefused
    }

    func fail(_ reason: ProxyReason) { finish(.failed(reason)) }

    private func finish(_ outcome: Outcome) {
        guard let completion else { return }
        self.completion = nil
        attempt = nil
        completion(outcome)
    }
}
