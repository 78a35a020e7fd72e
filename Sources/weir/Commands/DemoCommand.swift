internal import Audit
internal import Proxy
internal import Transport

/// `weir demo`: a sink with the proxy in front of it, both in this process, and how to try them.
enum DemoCommand {
    /// Starts both; nil means that they run, and a signal will end the process.
    static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus? {
        let settings = try context.settings(over: defaults)
        do throws(StartFailure) {
            let sink = try startSink(settings)
            guard let upstream = sink.addresses.first else {
                throw StartFailure("the built-in upload API has no address")
            }
            let (run, used) = try startProxy(settings, to: .upstream(upstream))
            let supervisor = Supervisor(
                run,
                settings: used,
                destination: { _ in .upstream(upstream) }
            ) {
                () throws(UsageProblems) in
                let new = try context.settings(over: defaults, .neverWaits)
                return new.listen.isEmpty ? new.listening(as: used) : new
            }
            supervisor.start()
            run.announce()
            if let address = run.addresses.first {
                StandardStream.error.writeLine(invitation(to: address))
            }
            return nil
        } catch {
            return error.report()
        }
    }

    /// Records to read, and no address: only one that was asked for is insisted on.
    private static var defaults: CommandSettings {
        var defaults = CommandSettings()
        defaults.auditFormat = .text
        defaults.listen = []
        return defaults
    }

    private static func startSink(_ settings: CommandSettings) throws(StartFailure) -> ProxyRun {
        var sink = settings
        sink.listen = anyLoopbackPort
        sink.auditLog = .none
        return try ProxyRun.start(sink, to: .sink)
    }

    private static func startProxy(
        _ settings: CommandSettings,
        to destination: Destination
    ) throws(StartFailure) -> (ProxyRun, CommandSettings) {
        var settings = settings
        if !settings.listen.isEmpty {
            return (try ProxyRun.start(settings, to: destination), settings)
        }
        settings.listen = CommandSettings().listen
        do throws(StartFailure) {
            return (try ProxyRun.start(settings, to: destination), settings)
        } catch {
            settings.listen = anyLoopbackPort
            return (try ProxyRun.start(settings, to: destination), settings)
        }
    }

    private static var anyLoopbackPort: [Address] {
        (try? Address("127.0.0.1:0")).map { [$0] } ?? []
    }

    /// What to paste to see it work; the first line needs no file.
    static func invitation(to address: Address) -> String {
        let target =
            address.path.map { "--unix-socket \(shellQuoted($0)) http://localhost/upload" }
            ?? "http://\(address)/upload"
        return """

            Send it an upload. This works as it stands:

              curl -F caption='Reading on the train ☕' -F 'note=Hello;filename=note.txt' \(target)

            and this with a picture of yours in the place of photo.jpg:

              curl -F caption='Reading on the train ☕' -F 'photo=@photo.jpg' \(target)

            Ctrl-C ends it. Audit records follow, one line for each part and each request:

            """
    }

    private static func shellQuoted(_ path: String) -> String {
        "'"
            + path.split(separator: "'", omittingEmptySubsequences: false).joined(
                separator: "'\\''"
            ) + "'"
    }
}

extension CommandSettings {
    /// These settings with the addresses of `other`.
    fileprivate func listening(as other: CommandSettings) -> CommandSettings {
        var copy = self
        copy.listen = other.listen
        return copy
    }
}
