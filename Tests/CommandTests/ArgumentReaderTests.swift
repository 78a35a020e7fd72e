import Testing
import weir

@Suite struct ArgumentReaderTests {
    @Test func readsCommandOptionsAndOperands() {
        let line = [
            "inspect", "--json", "a.body", "--content-type=a/b; c=\"d\"", "--limits-parts", "3",
        ]
        let arguments = ArgumentReader.read(line)
        #expect(arguments.problems.isEmpty)
        #expect(arguments.command == .inspect)
        #expect(arguments.operands == ["a.body"])
        #expect(arguments.value(of: .json) == "")
        #expect(arguments.value(of: .contentType) == "a/b; c=\"d\"")
        #expect(arguments.settings.map(\.setting.key) == ["limits.parts"])
        #expect(arguments.settings.map(\.value) == ["3"])
    }

    @Test func aDashIsAValueAndAnOperand() {
        #expect(ArgumentReader.read(["serve", "--audit-log", "-"]).settings.map(\.value) == ["-"])
        #expect(ArgumentReader.read(["inspect", "-"]).operands == ["-"])
        #expect(ArgumentReader.read(["inspect", "--", "--json"]).operands == ["--json"])
    }

    @Test func switchesStandAlone() {
        let arguments = ArgumentReader.read(["serve", "--fidelity", "--mode", "off"])
        #expect(arguments.settings.map(\.value) == ["on", "off"])
        #expect(ArgumentReader.read(["serve", "--fidelity=off"]).settings.map(\.value) == ["off"])
    }

    @Test func helpAndVersion() {
        #expect(ArgumentReader.read(["--help"]).wantsHelp)
        #expect(ArgumentReader.read(["-h"]).wantsHelp)
        #expect(ArgumentReader.read(["--version"]).wantsVersion)
        let help = ArgumentReader.read(["inspect", "--help"])
        #expect(help.wantsHelp && help.command == .inspect && help.problems.isEmpty)
        #expect(ArgumentReader.read([]).command == nil)
    }

    static let mistakes: [([String], [String])] = [
        (["srve"], ["unknown command srve; did you mean serve?"]),
        (["serve", "--upstraem", "x"], ["unknown option --upstraem; did you mean --upstream?"]),
        (["sink", "--upstream=x"], ["unknown option --upstream"]),
        (["serve", "-x"], ["unknown option -x"]),
        (
            ["serve", "--upstream", "--mode", "off"],
            ["option --upstream needs a value: --upstream URL"]
        ),
        (["serve", "--config"], ["option --config needs a value: --config FILE"]),
        (["serve", "--mode", "off", "--mode=off"], ["option --mode is given twice"]),
        (["check", "--config=a", "--config=b"], ["option --config is given twice"]),
        (["inspect", "--json=x", "f"], ["option --json takes no value"]),
        (["inspect"], ["inspect needs a file, or - for standard input"]),
        (["inspect", "a", "b", "c"], ["unexpected argument b", "unexpected argument c"]),
        (["serve", "x\u{1b}[2J"], ["unexpected argument x\\u{1b}[2J"]),
        (["serve", ""], ["unexpected argument "]),
    ]

    @Test(arguments: mistakes)
    func mistakesAreSentences(_ line: [String], _ sentences: [String]) {
        #expect(ArgumentReader.read(line).problems.map(\.description) == sentences)
    }
}
