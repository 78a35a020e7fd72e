/// `weir contract`: prints the contract that an OpenAPI document has for a form.
package enum ContractCommand {
    /// Documents of large APIs are some megabytes.
    private static let maximumBytes = 32 << 20

    package static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus {
        let arguments = context.arguments
        guard arguments.problems.isEmpty else { throw UsageProblems(arguments.problems) }
        do throws(UsageProblem) {
            guard let path = arguments.value(of: .openAPI) else {
                throw UsageProblem("contract needs a document: --openapi FILE")
            }
            let text = try InputFile.text(ofPath: path, limit: maximumBytes)
            let name = path == "-" ? "standard input" : TerminalText.escaped(path)
            let made = try OpenAPIContract(
                of: OpenAPIDocument(text: text, name: name),
                path: arguments.value(of: .path),
                method: arguments.value(of: .method)
            )
            for note in made.notes { StandardStream.error.writeLine("note: \(note)") }
            return StandardStream.print(self.text(of: made))
        } catch {
            throw UsageProblems([error])
        }
    }

    /// A configuration file that has the contract and nothing else.
    package static func text(of made: OpenAPIContract) -> String {
        let file = JSONValue.object([JSONMember("contract", made.contract.json)])
        return "// \(made.operation)\n\(JSONText.indented(file))"
    }
}
