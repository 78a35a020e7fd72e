import Inspection
import Proxy
import Testing
import weir

@Suite struct SettingsReaderTests {
    static let keys = SettingsCatalogue.all.map(\.key)
    static let optionKeys = SettingsCatalogue.all.filter { !$0.isFileOnly }.map(\.key)

    @Test func everyKeyHasASample() {
        #expect(Set(sampleValues.keys) == Set(Self.keys))
        #expect(Set(Self.keys).count == Self.keys.count)
    }

    @Test(arguments: optionKeys)
    func everyKeyCanBeSetThreeWays(_ key: String) throws {
        let setting = try #require(SettingsCatalogue.setting(forKey: key))
        let sample = try #require(sampleValues[key])
        let pieces = key.split(separator: ".")
        let file =
            pieces.count == 2
            ? "{\(pieces[0]): {\(pieces[1]): \(sample.json)}}" : "{\(key): \(sample.json)}"
        let expected = try read(options: ["\(setting.option)=\(sample.text)"]).get()
        #expect(expected != CommandSettings(), "the sample is no different from the default")
        #expect(try read(environment: [setting.variable: sample.text]).get() == expected)
        #expect(try read(file: file).get() == expected)
    }

    /// What `weir check` prints, read again, is the same settings.
    @Test(arguments: keys)
    func printedSettingsReadTheSame(_ key: String) throws {
        let setting = try #require(SettingsCatalogue.setting(forKey: key))
        let sample = try #require(sampleValues[key])
        let settings =
            setting.isFileOnly
            ? try read(file: "{\(key): \(sample.json)}").get()
            : try read(options: ["\(setting.option)=\(sample.text)"]).get()
        #expect(settings != CommandSettings(), "the sample is no different from the default")
        #expect(try read(file: CheckCommand.text(of: settings)).get() == settings)
    }

    @Test func namesFollowFromTheKey() throws {
        let setting = try #require(SettingsCatalogue.setting(forKey: "timeouts.bodyIdle"))
        #expect(setting.option == "--timeouts-body-idle")
        #expect(setting.variable == "WEIR_TIMEOUTS_BODY_IDLE")
        let general = try #require(SettingsCatalogue.setting(forKey: "auditLog"))
        #expect(general.option == "--audit-log")
        #expect(general.variable == "WEIR_AUDIT_LOG")
    }

    @Test func defaultsAreThoseOfTheDesign() throws {
        let settings = try read().get()
        #expect(settings == CommandSettings())
        #expect(shown("listen", in: settings) == #"["127.0.0.1:8080"]"#)
        #expect(settings.proxy.policy == InspectionPolicy())
        #expect(settings.proxy.connections == 10_000)
        #expect(settings.proxy.minimumRate == 500)
    }

    @Test func optionsOverrideVariablesOverrideTheFile() throws {
        let file = "{limits: {parts: 1, files: 1, fields: 1}}"
        let environment = ["WEIR_LIMITS_PARTS": "2", "WEIR_LIMITS_FILES": "2", "PATH": "/bin"]
        let settings = try read(
            options: ["--limits-parts", "3"],
            environment: environment,
            file: file
        ).get()
        #expect(settings.proxy.policy.limits.parts == 3)
        #expect(settings.proxy.policy.limits.files == 2)
        #expect(shown("limits.fields", in: settings) == "1")
    }

    @Test func noneAndUnlimited() throws {
        let file = #"{minimumRate: null, lanes: null, auditLog: null, limits: {bodyBytes: null}}"#
        let settings = try read(file: file).get()
        #expect(settings.proxy.minimumRate == nil)
        #expect(shown("auditLog", in: settings) == #""off""#)
        #expect(settings.proxy.policy.limits.bodyBytes == nil)
        #expect(try read(options: ["--minimum-rate", "0"]).get().proxy.minimumRate == nil)
        let unlimited = ["--limits-body-bytes", "unlimited", "--content-types", "any"]
        #expect(try read(options: unlimited).get() == CommandSettings())
    }

    @Test func listsMayBeRepeated() throws {
        let options = ["--listen", "127.0.0.1:1", "--listen=[::1]:2, unix:/run/weir"]
        let settings = try read(options: options).get()
        #expect(
            shown("listen", in: settings) == #"["127.0.0.1:1", "[::1]:2", "unix:/run/weir"]"#
        )
    }

    static let upstreams = [
        ("http://127.0.0.1:9000", "http://127.0.0.1:9000"), ("http://api", "http://api:80"),
        ("HTTP://api:81/", "http://api:81"), ("http://[::1]", "http://[::1]:80"),
        ("http://[::1]:9", "http://[::1]:9"),
        ("unix:/run/api.sock", "unix:/run/api.sock"),
        ("api:9000", nil), ("https://api", nil), ("http://", nil), ("http://api/path", nil),
        ("http://user@api", nil), ("http://api?x", nil), ("http://api:99999", nil), ("", nil),
    ]

    @Test(arguments: upstreams)
    func upstreamIsTheURLOfAServer(_ text: String, _ expected: String?) {
        let settings = try? read(options: ["--upstream=\(text)"]).get()
        #expect(settings.map { shown("upstream", in: $0) } == expected.map { "\"\($0)\"" })
    }

    static let refusals: [(options: [String], file: String?, sentence: String)] = [
        (
            ["--limits-parts", "0"], nil,
            #"limits.parts (option --limits-parts): found "0","#
                + " expected a whole number from 1 to 100000"
        ),
        (
            ["--mode", "block"], nil,
            #"mode (option --mode): found "block", expected "enforce", "observe" or "off""#
        ),
        (
            [], "{\n  drain: 30 }",
            "drain (weir.json5, line 2): found 30, expected a duration from 0s to 24h,"
                + #" with a unit as in "500ms" or "10s""#
        ),
        (
            [], #"{limits: {parts: "3"}}"#,
            #"limits.parts (weir.json5, line 1): found "3","#
                + " expected a whole number from 1 to 100000"
        ),
        (
            [], "{limits: 3}",
            "limits (weir.json5, line 1): found 3, expected an object { … }"
        ),
        (
            [], "{fidelity: 1}",
            "fidelity (weir.json5, line 1): found 1, expected true or false"
        ),
        (
            ["--content-types", "image/*"], nil,
            #"contentTypes (option --content-types): found "image/*", expected media types such"#
                + #" as "multipart/form-data", without parameters, or "any""#
        ),
        (
            [], "{limits: {partz: 3}}",
            "weir.json5, line 1: unknown key limits.partz; did you mean limits.parts?"
        ),
        (
            [], "{bodyBytes: 3}",
            "weir.json5, line 1: unknown key bodyBytes; did you mean limits.bodyBytes?"
        ),
        ([], "{admin: 3}", "weir.json5, line 1: unknown key admin"),
    ]

    @Test(arguments: refusals)
    func refusalsNameKeyPlaceFoundAndExpected(
        _ row: (options: [String], file: String?, sentence: String)
    ) {
        #expect(problems(options: row.options, file: row.file) == [row.sentence])
    }

    @Test func unknownVariablesAreRefused() {
        let found = problems(environment: ["WEIR_MOED": "off", "WEIRD": "x", "WEIR": "y"])
        #expect(found == ["unknown variable WEIR_MOED; did you mean WEIR_MODE?"])
    }

    /// Kubernetes puts these into every container beside a service called `weir`.
    @Test func variablesOfKubernetesAreNone() {
        let environment = [
            "WEIR_SERVICE_HOST": "10.0.0.1", "WEIR_SERVICE_PORT": "80", "WEIR_PORT": "tcp://x",
            "WEIR_SERVICE_PORT_HTTP": "80", "WEIR_PORT_80_TCP_ADDR": "10.0.0.1",
            "WEIR_CONFIG": "/etc/weir.json5",
        ]
        #expect(problems(environment: environment).isEmpty)
    }

    @Test func allProblemsAreToldAtOnce() {
        let found = problems(
            options: ["--limits-files", "-1"],
            environment: ["WEIR_HOLD": "", "WEIR_NOPE": ""],
            file: "{mode: 1, limits: {parts: 0, x: 1}}"
        )
        #expect(found.count == 6)
    }

    @Test func whatIsOverriddenMustBeValidToo() {
        #expect(problems(options: ["--mode", "off"], file: "{mode: 'x'}").count == 1)
    }

    @Test(arguments: keys)
    func extremeValuesAreNoTrap(_ key: String) throws {
        let setting = try #require(SettingsCatalogue.setting(forKey: key))
        let texts = [
            "", "-1", "9223372036854775807", "9223372036854775808", "9223372036854775807TiB",
            "9223372036854775807h", "1e400", "\u{0}", ",", ",,", "[", "http://:", "[::1", "unix:",
        ]
        for text in texts {
            // Refused or not: `read` comes back.
            _ = read(environment: [setting.variable: text])
            _ = read(file: JSONText.line(.object([JSONMember(key, .string(text))])))
        }
        let values = [
            "-9223372036854775808", "9223372036854775807", "1e308", "0.5", "[]", "{}", "null",
        ]
        let pieces = key.split(separator: ".")
        for value in values {
            _ = read(
                file: pieces.count == 2
                    ? "{\(pieces[0]): {\(pieces[1]): \(value)}}" : "{\(key): \(value)}"
            )
        }
    }
}
