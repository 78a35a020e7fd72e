/// Where a value was set.
package enum SettingOrigin: Equatable, Sendable, CustomStringConvertible {
    case option(String)
    case variable(String)
    case file(String, line: Int?)

    package var description: String {
        switch self {
        case .option(let name): "option \(name)"
        case .variable(let name): "variable \(name)"
        case .file(let name, let line):
            line.map { "\(TerminalText.escaped(name)), line \($0)" } ?? TerminalText.escaped(name)
        }
    }
}
