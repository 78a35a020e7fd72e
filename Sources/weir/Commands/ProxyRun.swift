internal import Audit
internal import Proxy
internal import Transport

/// A proxy that has been started by a command: its server, its log, where it listens.
struct ProxyRun: Sendable {
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
        let proxySettings = settings.proxySettings(to: destination)
        let server = ProxyServer(settings: proxySettings, audit: audit) { sentence in
            StandardStream.error.writeLine("weir: \(sentence)")
        }
        do throws(ProxyServer.SetupError) {
            let addresses = try server.start()
            return ProxyRun(server: server, audit: audit, addresses: addresses)
        } catch {
            throw StartFailure(error.description)
        }
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
