/// The commands of `weir`.
package enum Command: String, CaseIterable, Sendable {
    case serve, demo, sink, check, inspect, contract

    /// One line for the list of commands.
    package var summary: String {
        switch self {
        case .serve: "Run the proxy in front of an upload API"
        case .demo: "Run the proxy in front of a built-in upload API, and say how to try it"
        case .sink: "Run the built-in upload API, which answers with the parts as JSON"
        case .check: "Print the effective configuration, or what is wrong with it"
        case .inspect: "Say what Weir finds in a body or a saved HTTP request"
        case .contract: "Print the contract that an OpenAPI document has for a form"
        }
    }

    /// The usual ways to call it, without the program's name.
    package var synopsis: [String] {
        switch self {
        case .serve: ["serve --upstream URL [--listen ADDR] [--config FILE] [options]"]
        case .demo: ["demo [--listen ADDR] [options]"]
        case .sink: ["sink [--listen ADDR] [options]"]
        case .check: ["check --config FILE [options]"]
        case .inspect: ["inspect FILE|- [--content-type TYPE] [--json] [options]"]
        case .contract: ["contract --openapi FILE|- [--path PATH] [--method METHOD]"]
        }
    }

    /// What a reader of the help should know beyond the options.
    package var explanation: String {
        switch self {
        case .serve:
            """
            Prints "listening on http://HOST:PORT" for each listener once it is ready. Audit records
            go to standard output, everything else to standard error.

            SIGTERM, SIGINT  accept no more, finish what is in flight, end; a second one ends at once
            SIGHUP           read the configuration again, reopen the audit log
            SIGUSR1          print the uploads in flight
            """
        case .demo:
            "Needs nothing else: both servers live in this process, on loopback addresses."
        case .sink:
            "For tests: it inspects like the proxy, keeps nothing, and forwards nothing."
        case .check:
            "Without --config it checks the WEIR_ variables. Exit status 0 if valid, 2 if not."
        case .inspect:
            """
            FILE is a body, or a saved request: head and body, by Content-Length or chunked. A request
            is told by its request line where no --content-type is given; without either, the boundary
            is guessed from a first line that begins with two dashes. What curl --trace or --trace-ascii
            has written, and the HTTP archive (HAR) of a browser, are told by their beginning.

            Exit status 0 if the upload would be allowed, 1 if it would be blocked.
            """
        case .contract:
            """
            FILE is an OpenAPI 3 document in JSON; YAML has to be converted first. What is printed is a
            configuration file: pass it with --config, or paste its contract into a route. What the
            schema asks and a contract cannot, is said on standard error.

            Exit status 2 if there is no form, or more than one to choose from.
            """
        }
    }

    /// Options of this command that are no settings.
    package var options: [CommandOption] {
        switch self {
        case .inspect: [.contentType, .entry, .json, .config, .help]
        case .contract: [.openAPI, .path, .method, .help]
        case .serve, .demo, .sink, .check: [.config, .help]
        }
    }

    /// The settings that matter to this command.
    package var settings: [Setting] {
        SettingsCatalogue.all.filter { setting in
            if setting.isFileOnly { return false }
            return switch self {
            case .serve, .check: true
            case .demo, .sink: setting.key != "upstream"
            case .contract: false
            case .inspect:
                setting.group == .limits || Self.settingsOfInspection.contains(setting.key)
            }
        }
    }

    /// What decides about a body, beside the limits.
    private static let settingsOfInspection: Set = [
        "profile", "contentTypes", "findings", "nestedDepth", "sniff", "deniedTypes", "digests",
        "hashes.deny", "hashes.allow",
    ]

    /// How many operands the command takes.
    package var operands: Int { self == .inspect ? 1 : 0 }
}

/// An option that concerns one call and is no setting.
package struct CommandOption: Equatable, Sendable {
    package let name: String

    /// What stands after the option, or nil where it stands alone.
    package let placeholder: String?
    package let summary: String

    package static let config = CommandOption(
        name: "--config",
        placeholder: "FILE",
        summary: "Read settings from a JSON5 file"
    )
    package static let contentType = CommandOption(
        name: "--content-type",
        placeholder: "TYPE",
        summary: "The file is a body of this type, boundary included"
    )
    package static let entry = CommandOption(
        name: "--entry",
        placeholder: "N",
        summary: "The entry of an HTTP archive to inspect, from 0"
    )
    package static let json = CommandOption(
        name: "--json",
        placeholder: nil,
        summary: "Print one JSON object"
    )
    package static let openAPI = CommandOption(
        name: "--openapi",
        placeholder: "FILE",
        summary: "The OpenAPI document, in JSON"
    )
    package static let path = CommandOption(
        name: "--path",
        placeholder: "PATH",
        summary: "The path of the operation, as the document has it"
    )
    package static let method = CommandOption(
        name: "--method",
        placeholder: "METHOD",
        summary: "The method of the operation"
    )
    package static let help = CommandOption(
        name: "--help",
        placeholder: nil,
        summary: "Print this help"
    )
}
