internal import Inspection
internal import Proxy

/// What a command was called with: its arguments and the environment, to make settings of.
///
/// The settings are made anew at each reload, so that the file is read again.
package struct CommandContext: Sendable {
    package let arguments: Arguments
    package let environment: [String: String]

    package init(arguments: Arguments, environment: [String: String]) {
        self.arguments = arguments
        self.environment = environment
    }

    /// The settings in force, or all that is wrong with the call and with each source.
    ///
    /// - Parameters:
    ///   - defaults: What holds where no source says otherwise.
    ///   - patience: Whether files may be pipes, whose writers are waited for.
    /// - Returns: The settings.
    /// - Throws: What is wrong.
    package func settings(
        over defaults: CommandSettings = CommandSettings(),
        _ patience: InputFile.Patience = .waits
    ) throws(UsageProblems) -> CommandSettings {
        var problems = arguments.problems
        var sources = SettingsSources(environment: environment, options: arguments.settings)
        do throws(UsageProblems) {
            sources.file = try configurationFile(patience)
        } catch {
            problems += error.all
        }
        do throws(UsageProblems) {
            var settings = try SettingsReader.read(sources, over: defaults)
            settings.proxy.policy.hashes = try settings.hashFiles.load(patience)
            if problems.isEmpty { return settings }
        } catch {
            problems += error.all
        }
        throw UsageProblems(problems)
    }

    private func configurationFile(
        _ patience: InputFile.Patience
    ) throws(UsageProblems) -> ConfigurationFile? {
        let variable = environment[SettingsReader.configurationVariable]
        guard let path = arguments.value(of: .config) ?? variable else { return nil }
        let text: String
        do throws(UsageProblem) {
            text = try InputFile.text(ofPath: path, patience)
        } catch {
            throw UsageProblems([error])
        }
        return try ConfigurationFile(text: text, name: path)
    }
}
