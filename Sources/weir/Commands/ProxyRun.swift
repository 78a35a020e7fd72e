internal import Audit
internal import Proxy
internal import Transport

/// A proxy that has been started by a command: its server, its log, where it listens.
package struct ProxyRun: Sendable {
    let server: ProxyServer
    let audit: AuditLog
    let addresses: [Address]

    /// Starts a proxy by `settings` in front of `destination`, or says in a sentence why not.
    static func start(
        _ settings: CommandSettings,
        to destination: Destination
    ) throws(StartFailure) -> ProxyRun {
        let audit: AuditLog
        do throws(SystemFailure) {
            audit = try AuditLog(
                destination: settings.auditLog,
                format: settings.auditFormat,
                version: weirVersion
            )
        } catch {
            let name = SettingsCatalogue.setting(forKey: "auditLog")
            let place = name.map { JSONText.bare($0.value(settings)) } ?? ""
            throw StartFailure("cannot write the audit log \(place) (\(error))")
        }
        DescriptorLimit.raise()
        let proxySettings = settings.proxySettings(to: destination)
        let server = ProxyServer(
            settings: proxySettings,
            audit: audit,
            say: { StandardStream.error.writeLine("weir: \(TerminalText.escaped($0))") }
        )
        do throws(ProxyServer.SetupError) {
            let addresses = try server.start()
            return ProxyRun(server: server, audit: audit, addresses: addresses)
        } catch {
            throw StartFailure(error.description)
        }
    }

    /// Tells the operator where the system allows fewer sockets than the settings ask for.
    ///
    /// Each connection has one, and another one upstream while a request is in flight.
    static func warnOfDescriptors(for settings: CommandSettings) {
        let limit = DescriptorLimit.raise()
        guard let sentence = warning(connections: settings.proxy.connections, limit: limit) else {
            return
        }
        StandardStream.error.writeLine("weir: \(sentence)")
    }

    /// What to say of a limit of descriptors; nil where it is high enough.
    package static func warning(connections: Int, limit: Int) -> String? {
        // Some are for listeners, logs and event loops.
        guard connections > limit - 64 else { return nil }
        return "this process may have \(limit) files open, too few for \(connections) connections;"
            + " raise the limit (ulimit -n), or set connections lower"
    }

    /// Tells the operator, and whoever waits for it, that connections are accepted.
    func announce() {
        for address in addresses {
            StandardStream.error.writeLine("listening on \(UpstreamURL.text(of: address))")
        }
    }
}

/// Why a server could not start, as one sentence.
struct StartFailure: Error {
    let sentence: String

    init(_ sentence: String) {
        self.sentence = TerminalText.escaped(sentence)
    }

    /// Prints the sentence, and is the status to end with.
    func report() -> ExitStatus {
        StandardStream.error.writeLine("weir: \(sentence)")
        return .failure
    }
}
