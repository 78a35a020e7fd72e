package import HTTP1
package import Inspection
package import Transport

/// Everything a running proxy is told: where it listens, where it sends, how it judges.
///
/// A value: a reload makes a new one, and every exchange keeps the one it began with.
package struct ProxySettings: Equatable, Sendable {
    package var listen: [Address]
    package var destination: Destination
    package var policy = InspectionPolicy()
    package var headLimits = HeadLimits()

    /// What holds for some requests only, in the place of `destination` and `policy`.
    package var routes = RouteTable()

    /// The route these settings are of, as records call it; nil at the top level.
    package var routeName: String?

    /// Sum of the chunk extensions of one body, and size of its trailer section, in bytes.
    package var chunkExtensionBytes = 1 << 10
    package var trailerBytes = 8 << 10

    package var timeouts = Timeouts()

    /// Fewest bytes a second a client may send over a window while Weir waits for it; nil is off.
    package var minimumRate: Int? = 500

    /// Who is believed when it says for whom it sends: other proxies.
    package var trustedNetworks: [Network] = []

    /// Whether connections begin with a PROXY header.
    package var proxyProtocol = ProxyProtocolUse.off

    /// Client connections at once, over all listeners.
    package var connections = 10_000

    /// Of those, from one address; nil sets no limit.
    package var connectionsPerAddress: Int?

    /// How requests are spread over the addresses of an upstream, and which are left out.
    package var balance = Balance.roundRobin
    package var health = HealthSettings()

    /// How often the names of upstreams are looked up again.
    package var resolve: Duration = .seconds(30)

    /// How long requests in flight may take to end after SIGTERM.
    package var drain: Duration = .seconds(30)

    /// Hash the body bytes received and the body bytes sent, and record both.
    package var fidelity = false

    /// Event loops; nil is one a core.
    package var lanes: Int?

    package var bodyLimits: BodyLimits {
        BodyLimits(chunkExtensionBytes: chunkExtensionBytes, trailerBytes: trailerBytes)
    }

    package init(listen: [Address], destination: Destination) {
        self.listen = listen
        self.destination = destination
    }
}

/// Whether clients are behind a load balancer that says whose connections it passes on.
package enum ProxyProtocolUse: String, CaseIterable, Sendable {
    case off
    /// Every connection begins with a PROXY header, of either version.
    case required
}

/// Where accepted requests go.
package enum Destination: Equatable, Sendable {
    /// HTTP/1.1 servers, any of which may have any request.
    case upstreams([Address])
    /// The built-in upload API, which answers with the parts it read.
    case sink

    /// One HTTP/1.1 server.
    package static func upstream(_ address: Address) -> Destination { .upstreams([address]) }
}

/// How long each side may take, phase by phase.
package struct Timeouts: Equatable, Sendable {
    /// From the first byte of a request head to its last.
    package var head: Duration = .seconds(10)
    /// Without a byte of body, while Weir is ready to read.
    package var bodyIdle: Duration = .seconds(30)
    package var connect: Duration = .seconds(5)
    /// From the end of the request, or the last byte the upstream took, to its answer.
    package var firstByte: Duration = .seconds(60)
    /// Between two requests of one client connection, and unused in the upstream pool.
    package var keepAlive: Duration = .seconds(60)
    /// Without a byte in either direction, after a switch of protocols.
    package var tunnel: Duration = .seconds(300)

    package init() {}
}
