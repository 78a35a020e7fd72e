/// One request in flight at an address, counted for as long as this exists and is not paused.
final class EndpointUse {
    let endpoint: UpstreamEndpoint
    private var isCounted = true

    init(_ endpoint: UpstreamEndpoint) {
        self.endpoint = endpoint
        endpoint.useBegan()
    }

    /// The connection waits for the next request.
    func pause() {
        guard isCounted else { return }
        isCounted = false
        endpoint.useEnded()
    }

    func resume() {
        guard !isCounted else { return }
        isCounted = true
        endpoint.useBegan()
    }

    deinit { pause() }
}
