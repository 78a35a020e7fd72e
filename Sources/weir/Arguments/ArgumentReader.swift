/// Reads a command line by the tables of commands and settings.
///
///     weir COMMAND *( "--name" value / "--name=value" / operand ) [ "--" *operand ]
///
/// The command comes first. There are no abbreviations and no single letters but `-h`: a command
/// line in a unit file is read more often than it is typed.
package struct ArgumentReader {
    private var rest: ArraySlice<String>
    private var result = Arguments()

    /// Reads `arguments`, which do not include the program's name.
    package static func read(_ arguments: [String]) -> Arguments {
        var reader = ArgumentReader(rest: arguments[...])
        reader.read()
        return reader.result
    }

    private init(rest: ArraySlice<String>) {
        self.rest = rest
    }

    private mutating func read() {
        guard let first = rest.popFirst() else { return }
        if ["--help", "-h"].contains(first) {
            result.wantsHelp = true
            return
        }
        if first == "--version" {
            result.wantsVersion = true
            return
        }
        guard let command = Command(rawValue: first) else {
            refuse("unknown command", first, among: Command.allCases.map(\.rawValue))
            return
        }
        result.command = command
        while let argument = rest.popFirst() {
            if argument == "--" {
                result.operands += rest
                break
            } else if argument == "-h" {
                result.wantsHelp = true
            } else if argument.hasPrefix("-"), argument != "-" {
                readOption(argument, of: command)
            } else {
                result.operands.append(argument)
            }
        }
        checkOperands(of: command)
    }

    private mutating func readOption(_ argument: String, of command: Command) {
        let pieces = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(pieces[0])
        let attached = pieces.count == 2 ? String(pieces[1]) : nil
        if let option = command.options.first(where: { $0.name == name }) {
            read(option, attached)
        } else if let setting = command.settings.first(where: { $0.option == name }) {
            read(setting, attached)
        } else {
            let names = command.options.map(\.name) + command.settings.map(\.option)
            refuse("unknown option", name, among: names)
            // Its value, if that follows, is no operand.
            if attached == nil, rest.first.map({ !$0.hasPrefix("-") }) ?? false {
                rest.removeFirst()
            }
        }
    }

    private mutating func read(_ option: CommandOption, _ attached: String?) {
        if option == .help {
            result.wantsHelp = true
        } else if option.placeholder == nil {
            if attached != nil { problem("option \(option.name) takes no value") }
            result.options[option.name] = ""
        } else if let value = attached ?? takeValue() {
            if result.options.updateValue(value, forKey: option.name) != nil {
                problem("option \(option.name) is given twice")
            }
        } else {
            problem(
                "option \(option.name) needs a value: \(option.name) \(option.placeholder ?? "")"
            )
        }
    }

    private mutating func read(_ setting: Setting, _ attached: String?) {
        let value = setting.isSwitch ? attached ?? "on" : attached ?? takeValue()
        guard let value else {
            problem(
                "option \(setting.option) needs a value: \(setting.option) \(setting.placeholder)"
            )
            return
        }
        let earlier = result.settings.firstIndex { $0.setting.key == setting.key }
        guard let earlier else {
            result.settings.append((setting, value))
            return
        }
        if setting.isList {
            result.settings[earlier].value += "," + value
        } else {
            problem("option \(setting.option) is given twice")
        }
    }

    /// The next argument, unless it is an option itself.
    ///
    /// `-` is a value.
    private mutating func takeValue() -> String? {
        guard let next = rest.first, !next.hasPrefix("--") else { return nil }
        rest.removeFirst()
        return next
    }

    private mutating func checkOperands(of command: Command) {
        guard !result.wantsHelp else { return }
        for operand in result.operands.dropFirst(command.operands) {
            problem("unexpected argument \(TerminalText.escaped(operand, limit: 80))")
        }
        // With an unknown option the operand may have been taken for its value.
        if result.operands.count < command.operands, result.problems.isEmpty {
            problem("\(command.rawValue) needs a file, or - for standard input")
        }
    }

    private mutating func problem(_ sentence: String) {
        result.problems.append(UsageProblem(sentence))
    }

    private mutating func refuse(_ sentence: String, _ name: String, among names: [String]) {
        let meant = Suggestion.nearest(to: name, among: names).map { "; did you mean \($0)?" }
        problem("\(sentence) \(TerminalText.escaped(name, limit: 80))\(meant ?? "")")
    }
}
