/// `weir inspect`: what Weir finds in a body or a saved request, for programs or for readers.
package enum InspectCommand {
    private static let readBytes = 256 << 10

    package static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus {
        let settings = try context.settings()
        do throws(UsageProblem) {
            let path = context.arguments.operands.first ?? "-"
            return try inspect(path, context.arguments, settings)
        } catch {
            throw UsageProblems([error])
        }
    }

    private static func inspect(
        _ path: String,
        _ arguments: Arguments,
        _ settings: CommandSettings
    ) throws(UsageProblem) -> ExitStatus {
        let printsJSON = arguments.value(of: .json) != nil
        var file = try InputFile(path: path)
        var inspection = FileInspection(
            contentType: arguments.value(of: .contentType),
            settings: settings,
            excerpts: printsJSON ? .none : file.isSeekable ? .fromFile : .fromTail
        )
        var buffer = [UInt8](repeating: 0, count: readBytes)
        while !inspection.isDone {
            let count = try file.read(into: &buffer)
            if count == 0 { break }
            try inspection.consume(buffer[..<count])
        }
        let (result, excerpts) = try inspection.finish()
        for note in result.notes {
            StandardStream.error.writeLine("note: \(TerminalText.escaped(note))")
        }
        if printsJSON {
            StandardStream.output.writeLine(JSONText.line(result.json))
        } else {
            let text = InspectReport.text(of: result, name: file.name) { entry in
                excerpts.window(around: entry, of: result, in: file)
            }
            StandardStream.output.writeLine(text)
        }
        return result.isBlocked ? .failure : .success
    }
}
