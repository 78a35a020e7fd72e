/// A command line, understood: which command, which options, which operands.
package struct Arguments: Sendable {
    package var command: Command?

    /// Settings in the order given; those of lists are joined by commas.
    package var settings: [(setting: Setting, value: String)] = []

    /// Values of the options that are no settings, by name; empty text for those without one.
    package var options: [String: String] = [:]
    package var operands: [String] = []
    package var wantsHelp = false
    package var wantsVersion = false

    /// Everything that could not be understood.
    package var problems: [UsageProblem] = []

    package func value(of option: CommandOption) -> String? { options[option.name] }
}
