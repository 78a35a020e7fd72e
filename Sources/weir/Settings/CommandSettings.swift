package import Audit
internal import Inspection
package import Proxy
package import Transport

/// Everything the settings of a command say, before the command makes of it what it runs.
package struct CommandSettings: Equatable, Sendable {
    package var listen: [Address] = []

    /// Where `serve` sends requests, any of them to any of these; empty until somebody says.
    package var upstream: [Address] = []

    package var auditLog = AuditLog.Destination.standardOutput
    package var auditFormat = AuditFormat.ecs

    /// All that concerns the proxy alone; its addresses are filled in by `proxySettings(to:)`.
    package var proxy = ProxySettings(listen: [], destination: .sink)

    /// Where the hashes of known files stand.
    package var hashFiles = HashFiles()

    /// What holds for some requests only; the first that matches a request holds for it.
    package var routes: [RouteConfiguration] = []

    package init() {
        // The literal is an address: the test of the defaults would fail if it were not.
        if let address = try? Address("127.0.0.1:8080") { listen = [address] }
    }

    /// What a proxy in front of `destination` is told.
    package func proxySettings(to destination: Destination) -> ProxySettings {
        var settings = proxy
        settings.listen = listen
        settings.destination = destination
        // Where the proxy goes elsewhere than the settings say, to the server of a demo, routes do.
        let keepsUpstreams = !upstream.isEmpty && destination == .upstreams(upstream)
        settings.routes = RouteTable(
            routes.enumerated().map { index, route in
                route.route(number: index, over: self, to: keepsUpstreams ? nil : destination)
            }
        )
        return settings
    }
}

extension CommandSettings {
    /// True if what `path` leads to lies in the policy, which each route has for itself.
    static func policyHolds(_ path: PartialKeyPath<CommandSettings>) -> Bool {
        guard let start = MemoryLayout<CommandSettings>.offset(of: \.proxy.policy),
            let offset = MemoryLayout<CommandSettings>.offset(of: path)
        else { return false }
        return offset >= start && offset - start < MemoryLayout<InspectionPolicy>.size
    }
}
