/// What has passed through a connection that has switched to another protocol.
package struct TunnelReport: Equatable, Sendable {
    /// The protocol, in lower case.
    package var name: String
    package var clientBytes = 0
    package var upstreamBytes = 0

    package init(name: String) { self.name = name }

    /// For an operator who asks what is in flight.
    package var text: String {
        "upgrade=\(name) from_client=\(clientBytes) from_upstream=\(upstreamBytes)"
    }

    func write(to line: inout JSONLineWriter) {
        line.beginObject("tunnel")
        line.member("protocol", name, atMost: RecordBounds.identifier)
        line.member("client_bytes", clientBytes)
        line.member("upstream_bytes", upstreamBytes)
        line.endObject()
    }
}
