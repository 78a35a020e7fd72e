/// How requests are spread over the addresses of an upstream.
package enum Balance: String, CaseIterable, Sendable {
    /// Each address in its turn.
    case roundRobin = "round-robin"
    /// The one with the fewest requests in flight.
    case leastConnections = "least-connections"
}

/// When an address is left out, for how long, and whether it is asked for its health.
package struct HealthSettings: Equatable, Sendable {
    /// Failures in a row after which an address rests; nil never lets one rest.
    package var failures: Int? = 3

    /// How long it rests the first time; each time again twice as long, up to a bound.
    package var pause: Duration = .seconds(10)

    /// The target of the requests that ask for its health; nil asks nobody.
    package var path: String?

    /// How often each address is asked.
    package var every: Duration = .seconds(5)

    package init() {}

    /// Addresses that rest come back by an answer to such a request, not by one of a client's.
    var asks: Bool { failures != nil && path != nil }
}
