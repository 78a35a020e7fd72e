import Inspection
import Proxy
import Testing
import weir

@Suite struct SeverityKindTests {
    static let place = "findings (weir.json5, line 1): found "

    static let refusals: [(json: String, end: String)] = [
        (
            #"{"preamble.presnt": "warn"}"#,
            "There is no code preamble.presnt that could be changed;"
                + " did you mean preamble.present?"
        ),
        (
            #"{"http.host_missing": "warn"}"#,
            "There is no code http.host_missing that could be changed"
        ),
        (
            #"{"preamble.present": "warning"}"#,
            "warning is no severity: info, notice, warn or block"
        ),
        (
            #"{"final_delimiter.missing": "warn"}"#,
            "final_delimiter.missing always blocks: after it nobody can say what the body is"
        ),
    ]

    @Test(arguments: refusals)
    func refusalsSayWhy(_ row: (json: String, end: String)) {
        let quoted = row.json
        let found = problems(file: "{findings: \(row.json)}")
        #expect(found == [Self.place + quoted + ". " + row.end])
    }

    @Test func otherShapesAreRefused() {
        for json in ["[1]", "3", #""x""#, #"{"preamble.present": 1}"#, #""a=b=c""#] {
            #expect(problems(file: "{findings: \(json)}").count == 1, "\(json)")
        }
    }

    /// Every code of a body can be set; those that leave no reading only to what they are.
    @Test func everyCodeCanBeBlocked() throws {
        for code in SeverityOverrides.knownCodes {
            let settings = try read(options: ["--findings", "\(code)=block"]).get()
            #expect(settings.proxy.policy.findings.all.map(\.code) == [code])
        }
    }

    @Test func optionsMayBeRepeatedAndEmptied() throws {
        let options = ["--findings", "preamble.present=info", "--findings=limit.parts=warn"]
        let settings = try read(options: options).get()
        #expect(
            shown("findings", in: settings)
                == #"{"limit.parts": "warn", "preamble.present": "info"}"#
        )
        #expect(try read(options: ["--findings", "none"]).get() == CommandSettings())
    }
}
