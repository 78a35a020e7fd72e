/// One request in flight at an address, counted for as long as this exists.
final class EndpointUse {
    let endpoint: UpstreamEndpoint

    init(_ endpoint: UpstreamEndpoint) {
        self.endpoint = endpoint
        endpoint.useBegan()
    }

    deinit { endpoint.useEnded() }
}
