/// What a load balancer says, before the first request, of the connection that it passes on.
package enum ProxyHeader: Equatable, Sendable {
    /// It speaks for itself, as when it looks whether this proxy is alive.
    case local

    /// It passes on a connection whose ends it does not know, or that have no IP address.
    case unknown

    /// It passes on a connection from this address, in some notation of its family.
    case source(ip: String, port: UInt16)
}
