internal import Proxy

/// `weir sink`: an upload API for tests, which answers with the parts it read.
enum SinkCommand {
    /// Starts the sink; nil means that it runs, and a signal will end the process.
    static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus? {
        let settings = try context.settings()
        do throws(StartFailure) {
            let run = try ProxyRun.start(settings, to: .sink)
            let supervisor = Supervisor(run, settings: settings, destination: { _ in .sink }) {
                () throws(UsageProblems) in
                try context.settings(.neverWaits)
            }
            supervisor.start()
            run.announce()
            return nil
        } catch {
            return error.report()
        }
    }
}
