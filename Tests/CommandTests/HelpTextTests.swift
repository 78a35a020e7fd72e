import Testing
import weir

@Suite struct HelpTextTests {
    @Test(arguments: Command.allCases)
    func helpNamesEveryOptionWithItsDefault(_ command: Command) {
        let help = HelpText.text(of: command)
        for option in command.options { #expect(help.contains("  \(option.name)")) }
        for setting in command.settings {
            #expect(help.contains("  \(setting.option)"))
            #expect(help.contains("\(setting.summary) [\(setting.defaultText)]"))
        }
        for line in help.split(separator: "\n") { #expect(line.count <= 100, "\(line)") }
    }

    @Test func serveTakesEverySetting() {
        #expect(
            Command.serve.settings.count
                == SettingsCatalogue.all.filter { !$0.isFileOnly }.count
        )
    }

    @Test func programHelpNamesEveryCommand() {
        for command in Command.allCases {
            #expect(HelpText.program.contains("  \(command.rawValue)"))
            #expect(HelpText.program.contains(command.summary))
        }
    }

    /// Whatever the help offers, the reader takes.
    @Test(arguments: Command.allCases)
    func readerTakesWhatHelpOffers(_ command: Command) {
        for setting in command.settings {
            let operands = Array(repeating: "-", count: command.operands)
            let line = [command.rawValue, "\(setting.option)=x"] + operands
            #expect(ArgumentReader.read(line).problems.isEmpty, "\(setting.option)")
        }
    }
}
