internal import Dispatch
#if canImport(FoundationEssentials)
internal import FoundationEssentials
internal import Glibc
#else
internal import Foundation
#endif

/// The program: reads the command line and runs the command it names.
@main
struct Weir {
    static func main() {
        StandardStream.occupyClosed()
        let arguments = ArgumentReader.read(Array(CommandLine.arguments.dropFirst()))
        let environment = ProcessInfo.processInfo.environment
        let status = run(CommandContext(arguments: arguments, environment: environment))
        guard let status else { dispatchMain() }
        exit(status.rawValue)
    }

    /// Runs the command; nil means that it goes on, and will end the process itself.
    private static func run(_ context: CommandContext) -> ExitStatus? {
        let arguments = context.arguments
        if arguments.wantsVersion {
            return StandardStream.print("weir \(weirVersion)")
        }
        if arguments.wantsHelp {
            let text = arguments.command.map { HelpText.text(of: $0) } ?? HelpText.program
            return StandardStream.print(text)
        }
        do throws(UsageProblems) {
            switch arguments.command {
            case .check: return try CheckCommand.run(context)
            case .inspect: return try InspectCommand.run(context)
            case .contract: return try ContractCommand.run(context)
            case .serve: return try ServeCommand.run(context)
            case .demo: return try DemoCommand.run(context)
            case .sink: return try SinkCommand.run(context)
            case nil:
                guard arguments.problems.isEmpty else { throw UsageProblems(arguments.problems) }
                StandardStream.error.writeLine(HelpText.program)
                return .usage
            }
        } catch {
            report(error, of: arguments.command)
            return .usage
        }
    }

    private static func report(_ problems: UsageProblems, of command: Command?) {
        for problem in problems.all {
            StandardStream.error.writeLine("weir: \(problem.description)")
        }
        let name = command.map { "weir \($0.rawValue)" } ?? "weir"
        StandardStream.error.writeLine("\(name) --help lists the options")
    }
}
