/// Where settings come from, in rising order of precedence.
package struct SettingsSources: Sendable {
    package var file: ConfigurationFile?
    package var environment: [String: String]
    package var options: [(setting: Setting, value: String)]

    package init(
        file: ConfigurationFile? = nil,
        environment: [String: String] = [:],
        options: [(setting: Setting, value: String)] = []
    ) {
        self.file = file
        self.environment = environment
        self.options = options
    }
}

/// Makes settings of what files, variables and options say: options over variables over the file
/// over the defaults.
///
/// A value that is overridden must be valid all the same: it is a mistake in waiting.
package struct SettingsReader {
    /// Names the file to read, and so cannot stand in it.
    package static let configurationVariable = "WEIR_CONFIG"

    private var settings: CommandSettings
    private var problems: [UsageProblem] = []

    /// The settings `sources` make of `defaults`, or everything that is wrong with them.
    package static func read(
        _ sources: SettingsSources,
        over defaults: CommandSettings = CommandSettings()
    ) throws(UsageProblems) -> CommandSettings {
        var reader = SettingsReader(settings: defaults)
        if let file = sources.file { reader.read(file) }
        reader.read(environment: sources.environment)
        for (setting, value) in sources.options {
            reader.apply(.text(value), to: setting, from: .option(setting.option))
        }
        guard reader.problems.isEmpty else { throw UsageProblems(reader.problems) }
        return reader.settings
    }

    private init(settings: CommandSettings) {
        self.settings = settings
    }

    private mutating func read(_ file: ConfigurationFile) {
        for entry in file.entries {
            let origin = SettingOrigin.file(file.name, line: entry.line)
            if let setting = SettingsCatalogue.setting(forKey: entry.key) {
                apply(.json(entry.value), to: setting, from: origin)
            } else if let group = Setting.Group(rawValue: entry.key), group != .general {
                let found = "found \(SettingInput.json(entry.value).quoted)"
                problems.append(
                    UsageProblem("\(entry.key) (\(origin)): \(found), expected an object { … }")
                )
            } else {
                refuse(
                    "\(origin): unknown key \(TerminalText.escaped(entry.key, limit: 80))",
                    entry.key,
                    among: SettingsCatalogue.all.map(\.key)
                )
            }
        }
    }

    private mutating func read(environment: [String: String]) {
        let settings = SettingsCatalogue.all.filter { !$0.isFileOnly }
        let variables = settings.map(\.variable) + [Self.configurationVariable]
        for (name, value) in environment.sorted(by: { $0.key < $1.key })
        where name.hasPrefix("WEIR_") && name != Self.configurationVariable {
            if let setting = settings.first(where: { $0.variable == name }) {
                apply(.text(value), to: setting, from: .variable(name))
            } else if !isSetByKubernetes(name) {
                refuse(
                    "unknown variable \(TerminalText.escaped(name, limit: 80))",
                    name,
                    among: variables
                )
            }
        }
    }

    private mutating func apply(
        _ input: SettingInput,
        to setting: Setting,
        from origin: SettingOrigin
    ) {
        do throws(SettingExpectation) {
            try setting.apply(input, &settings)
        } catch {
            problems.append(
                UsageProblem(
                    "\(setting.key) (\(origin)): found \(input.quoted)\(error.sentenceEnd)"
                )
            )
        }
    }

    private mutating func refuse(_ sentence: String, _ name: String, among names: [String]) {
        let meant = Suggestion.nearest(to: name, among: names)
        problems.append(UsageProblem(sentence + (meant.map { "; did you mean \($0)?" } ?? "")))
    }

    /// True of the variables every container gets in a Kubernetes namespace that has a service
    /// called `weir`; they say nothing to Weir.
    private func isSetByKubernetes(_ name: String) -> Bool {
        ["WEIR_SERVICE_HOST", "WEIR_PORT"].contains(name)
            || name.hasPrefix("WEIR_SERVICE_PORT") || name.hasPrefix("WEIR_PORT_")
    }
}
