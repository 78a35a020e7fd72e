package import Audit
package import Proxy
package import Transport

/// Everything the settings of a command say, before the command makes of it what it runs.
package struct CommandSettings: Equatable, Sendable {
    package var listen: [Address] = []

    /// Where `serve` sends requests; nil until somebody says.
    package var upstream: Address?

    package var auditLog = AuditLog.Destination.standardOutput
    package var auditFormat = AuditFormat.ecs

    /// All that concerns the proxy alone; its addresses are filled in by `proxySettings(to:)`.
    package var proxy = ProxySettings(listen: [], destination: .sink)

    package init() {
        // The literal is an address: the test of the defaults would fail if it were not.
        if let address = try? Address("127.0.0.1:8080") { listen = [address] }
    }

    /// What a proxy in front of `destination` is told.
    package func proxySettings(to destination: Destination) -> ProxySettings {
        var settings = proxy
        settings.listen = listen
        settings.destination = destination
        return settings
    }
}
