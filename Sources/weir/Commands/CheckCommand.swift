/// `weir check`: prints the settings in force as a configuration file, or what is wrong with them.
package enum CheckCommand {
    package static func run(_ context: CommandContext) throws(UsageProblems) -> ExitStatus {
        let settings = try context.settings()
        let status = StandardStream.print(text(of: settings))
        if settings.upstream.isEmpty {
            StandardStream.error.writeLine("note: no upstream is set; weir serve will ask for one")
        }
        return status
    }

    /// A configuration file that has every key and means `settings`.
    package static func text(of settings: CommandSettings) -> String {
        JSONText.indented(SettingsCatalogue.object(of: settings))
    }
}
