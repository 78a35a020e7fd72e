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
        let contentType = arguments.value(of: .contentType)
        let entry = try entryNumber(arguments)
        var file = try InputFile(path: path)
        var buffer = [UInt8](repeating: 0, count: readBytes)
        var count = try file.read(into: &buffer)
        let input = InspectInput(beginning: buffer[..<count], contentType: contentType)
        if entry != nil, !input.isArchive {
            throw UsageProblem("option --entry is for HTTP archives, which \(file.name) is not")
        }

        var result: InspectResult
        let excerpts: InspectExcerpts
        let kept: FileInspection.Excerpts = printsJSON ? .none : .fromTail
        switch input {
        case .plain:
            var inspection = FileInspection(
                contentType: contentType,
                settings: settings,
                excerpts: printsJSON ? .none : file.isSeekable ? .fromFile : .fromTail
            )
            while count > 0, !inspection.isDone {
                try inspection.consume(buffer[..<count])
                if !inspection.isDone { count = try file.read(into: &buffer) }
            }
            (result, excerpts) = try inspection.finish()
        case .trace(var decoder):
            var inspection = FileInspection(contentType: nil, settings: settings, excerpts: kept)
            while count > 0, !inspection.isDone {
                let sent = decoder.consume(buffer[..<count])
                if !sent.isEmpty { try inspection.consume(sent[...]) }
                count = try file.read(into: &buffer)
            }
            let last = decoder.finish()
            if !last.isEmpty, !inspection.isDone { try inspection.consume(last[...]) }
            (result, excerpts) = try inspection.finish()
            result.notes.append("reading the request out of a curl trace; offsets are its own")
            if decoder.isLossy {
                result.notes.append(
                    "the trace is text: what is not ASCII is dots, so digests are of no use"
                )
            }
        case .archive:
            let archive = try archive(&file, beginning: buffer[..<count], entry)
            var inspection = FileInspection(
                contentType: archive.contentType,
                settings: settings,
                excerpts: kept
            )
            try inspection.consume(archive.body[...])
            (result, excerpts) = try inspection.finish()
            result.notes += archive.notes
        }
        return report(result, excerpts, of: file, asJSON: printsJSON)
    }

    private static func report(
        _ result: InspectResult,
        _ excerpts: InspectExcerpts,
        of file: borrowing InputFile,
        asJSON printsJSON: Bool
    ) -> ExitStatus {
        for note in result.notes {
            StandardStream.error.writeLine("note: \(TerminalText.escaped(note))")
        }
        let status: ExitStatus = result.isBlocked ? .failure : .success
        if printsJSON { return StandardStream.print(JSONText.line(result.json), then: status) }
        let text = InspectReport.text(of: result, name: file.name) { entry in
            excerpts.window(around: entry, of: result, in: file)
        }
        return StandardStream.print(text, then: status)
    }

    private static func entryNumber(_ arguments: Arguments) throws(UsageProblem) -> Int? {
        guard let text = arguments.value(of: .entry) else { return nil }
        guard let number = Int(text), number >= 0 else {
            let found = TerminalText.escaped(text, limit: 80)
            throw UsageProblem("option --entry: found \"\(found)\", expected a number from 0")
        }
        return number
    }

    private static func archive(
        _ file: inout InputFile,
        beginning: ArraySlice<UInt8>,
        _ entry: Int?
    ) throws(UsageProblem) -> HTTPArchive {
        var bytes = Array(beginning)
        var buffer = [UInt8](repeating: 0, count: readBytes)
        while true {
            let count = try file.read(into: &buffer)
            if count == 0 { break }
            bytes += buffer[..<count]
            guard bytes.count <= HTTPArchive.maximumBytes else {
                let most = SizeText.exact(HTTPArchive.maximumBytes)
                throw UsageProblem("\(file.name) is larger than \(most)")
            }
        }
        return try HTTPArchive(bytes, entry: entry)
    }
}

extension InspectInput {
    fileprivate var isArchive: Bool { if case .archive = self { true } else { false } }
}
