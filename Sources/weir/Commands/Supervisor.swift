internal import Audit
internal import Dispatch
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif
internal import Inspection
internal import Proxy
internal import Transport

/// Does what signals ask of a running proxy, until it ends the process.
///
/// `Sendable` because it is confined to its lane.
final class Supervisor: @unchecked Sendable {
    private let lane = Lane(label: "weir.signals")
    private let run: ProxyRun
    private let destination: @Sendable (CommandSettings) -> Destination?
    private let reread: @Sendable () throws(UsageProblems) -> CommandSettings
    private var settings: CommandSettings
    private var isDraining = false

    /// All that was in flight has ended; only records wait.
    private var isDrained = false

    /// How long a pipe that nobody reads may keep the last records.
    private static let lastRecordsSeconds = 5

    private var watch: SignalWatch?

    /// Settings that a proxy in operation cannot change, as they are listed to the operator.
    private static let fixedKeys = ["listen", "lanes", "auditLog", "auditFormat"]

    /// Makes what will watch, once it is started.
    ///
    /// - Parameters:
    ///   - run: The proxy that signals are for.
    ///   - settings: What it was started with.
    ///   - destination: Where a proxy goes by such settings; nil if they do not say.
    ///   - reread: Makes the settings anew, for SIGHUP.
    init(
        _ run: ProxyRun,
        settings: CommandSettings,
        destination: @escaping @Sendable (CommandSettings) -> Destination?,
        reread: @escaping @Sendable () throws(UsageProblems) -> CommandSettings
    ) {
        self.run = run
        self.settings = settings
        // Lists of hashes are large, and nobody asks the ones the proxy was started with again.
        self.settings.proxy.policy.hashes = nil
        self.destination = destination
        self.reread = reread
    }

    /// Watches from the moment it returns: no signal is lost, and none is deadly.
    ///
    /// The watch keeps this object alive: it ends with the process.
    func start() {
        SignalWatch.ignoreBrokenPipes()
        let signals = SignalWatch.Signal.allCases
        let registered = DispatchSemaphore(value: 0)
        lane.queue.sync {
            watch = SignalWatch(signals, on: lane) { _ in
                registered.signal()
            } onSignal: { signal in
                self.receive(signal)
            }
        }
        for _ in signals { registered.wait() }
    }

    private func receive(_ signal: SignalWatch.Signal) {
        switch signal {
        case .terminate, .interrupt: end()
        case .hangUp: reload()
        case .user1: listUploads()
        }
    }

    private func end() {
        guard !isDraining else {
            say("ending at once")
            if isDrained { exit(ExitStatus.failure.rawValue) }
            // An upload that is cut leaves its record, and a reset at the upstream: no success.
            let audit = run.audit
            let leave: @Sendable () -> Void = {
                audit.close(within: .milliseconds(500))
                exit(ExitStatus.failure.rawValue)
            }
            run.server.cut(onFinished: leave)
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1), execute: leave)
            return
        }
        isDraining = true
        say("finishing what is in flight; a second signal ends at once")
        let audit = run.audit
        run.server.drain {
            self.lane.run { self.isDrained = true }
            if audit.close(within: .seconds(Self.lastRecordsSeconds)) {
                exit(ExitStatus.success.rawValue)
            }
            self.say("the last audit records are lost: nobody takes them")
            exit(ExitStatus.failure.rawValue)
        }
    }

    private func reload() {
        run.audit.reopen()
        do throws(UsageProblems) {
            let new = try reread()
            guard let target = destination(new) else {
                throw UsageProblems([ServeCommand.upstreamMissing])
            }
            var proxySettings = new.proxySettings(to: target)
            proxySettings.listen = settings.listen
            proxySettings.lanes = settings.proxy.lanes
            try reload(proxySettings)
            noteFixed(new)
            ProxyRun.warnOfDescriptors(for: new)
            say("configuration read again")
        } catch {
            for problem in error.all { say(problem.description) }
            say("the configuration is refused; the one before stays in force")
        }
    }

    private func reload(_ settings: ProxySettings) throws(UsageProblems) {
        do throws(ProxyServer.SetupError) {
            try run.server.reload(settings)
        } catch {
            throw UsageProblems([UsageProblem(error.description)])
        }
    }

    /// Says which changes have to wait for a restart.
    private func noteFixed(_ new: CommandSettings) {
        for setting in SettingsCatalogue.all where Self.fixedKeys.contains(setting.key) {
            if setting.value(new) != setting.value(settings) {
                say("\(setting.key) cannot change in operation; the change waits for a restart")
            }
        }
    }

    private func listUploads() {
        run.server.uploadsInFlight { lines in
            let count = lines.count == 1 ? "1 upload" : "\(lines.count) uploads"
            StandardStream.error.writeLine("weir: \(count) in flight")
            for line in lines + self.run.server.upstreamLines() {
                StandardStream.error.writeLine("  \(TerminalText.escaped(line))")
            }
        }
    }

    private func say(_ sentence: String) {
        StandardStream.error.writeLine("weir: \(sentence)")
    }
}
