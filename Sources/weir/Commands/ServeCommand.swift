internal import Proxy

/// `weir serve`: the proxy in front of an upload API.
enum ServeCommand {
    static let upstreamMissing = UsageProblem(
        "no upstream is set: say where accepted requests go, as in"
            + " --upstream http://127.0.0.1:9000, or try weir demo"
    )

    /// Starts the proxy; nil means that it runs, and a signal will end the process.
    static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus? {
        let settings = try context.settings()
        guard let destination = destination(settings) else {
            throw UsageProblems([upstreamMissing])
        }
        do throws(StartFailure) {
            let run = try ProxyRun.start(settings, to: destination)
            let supervisor = Supervisor(run, settings: settings, destination: Self.destination) {
                () throws(UsageProblems) in
                try context.settings(.neverWaits)
            }
            supervisor.start()
            ProxyRun.warnOfDescriptors(for: settings)
            run.announce()
            return nil
        } catch {
            return error.report()
        }
    }

    private static func destination(_ settings: CommandSettings) -> Destination? {
        settings.upstream.isEmpty ? nil : .upstreams(settings.upstream)
    }
}
