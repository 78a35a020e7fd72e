/// Writes the help of the program and of each command from the tables they are read by.
package enum HelpText {
    package static var program: String {
        let commands = Command.allCases.map { ($0.rawValue, $0.summary) }
        return """
            weir \(weirVersion): a streaming upload firewall

            Usage: weir COMMAND [options]

            Commands:
            \(columns(commands))

            weir COMMAND --help tells more about each; weir --version prints the version.

            Every setting is an option, a variable and a configuration key: --timeouts-body-idle 10s,
            WEIR_TIMEOUTS_BODY_IDLE=10s, {timeouts: {bodyIdle: "10s"}}. Options override variables,
            variables override the file given by --config or WEIR_CONFIG.

            Exit status: 0 fine, 1 a finding that blocks or a failure, 2 usage, 70 internal error
            """
    }

    /// The help of one command, with every option it takes and each default.
    package static func text(of command: Command) -> String {
        var text = "\(command.summary)\n\n"
        for line in command.synopsis { text += "Usage: weir \(line)\n" }
        text += "\n\(command.explanation)\n\nOptions:\n"
        text += columns(
            command.options.map { option in
                (option.name + (option.placeholder.map { " \($0)" } ?? ""), option.summary)
            }
        )
        for group in Setting.Group.allCases {
            let settings = command.settings.filter { $0.group == group }
            guard !settings.isEmpty else { continue }
            text += "\n\n\(heading(of: group))\n"
            text += columns(
                settings.map { setting in
                    let value = setting.isSwitch ? "" : " \(setting.placeholder)"
                    return (setting.option + value, "\(setting.summary) [\(setting.defaultText)]")
                }
            )
        }
        return text
    }

    private static func heading(of group: Setting.Group) -> String {
        switch group {
        case .general: "Settings, each also a variable (WEIR_MODE) and a configuration key (mode):"
        case .limits: "Limits:"
        case .timeouts: "Timeouts:"
        case .hashes: "Known files:"
        case .health: "Health of upstreams:"
        }
    }

    /// Two columns; what is too long for the first has a line of its own.
    private static func columns(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).filter { $0 <= 36 }.max() ?? 0
        return rows.map { left, right in
            let padding = String(repeating: " ", count: max(0, width - left.count))
            let gap = left.count > width ? "\n" + String(repeating: " ", count: width + 4) : "  "
            return "  \(left)\(padding)\(gap)\(right)"
        }.joined(separator: "\n")
    }
}
