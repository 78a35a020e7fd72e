import Inspection
import Proxy
import Testing
import Transport
import weir

@Suite struct RouteConfigurationTests {
    static let file = """
        {
          upstream: "http://127.0.0.1:9000",
          profile: "strict",
          hold: "4KiB",
          routes: [
            {host: "Video.example.com", upstream: "http://127.0.0.1:9001", hold: "1MiB"},
            {path: "/a", methods: ["POST", "PUT"], mode: "observe", limits: {parts: 3}},
            {path: "/b", findings: {"preamble.present": "warn"}, contentTypes: ["image/png"]},
          ],
        }
        """

    private func routes(_ options: [String] = []) throws -> [Route] {
        let settings = try read(options: options, file: Self.file).get()
        return settings.proxySettings(to: .upstreams(settings.upstream)).routes.routes
    }

    @Test func aRouteIsTheTopLevelWithChanges() throws {
        let routes = try routes()
        try #require(routes.count == 3)
        #expect(routes[0].match == RouteMatch(host: "video.example.com"))
        #expect(routes[0].name == "0")
        #expect(routes[0].destination == .upstream(try Address("127.0.0.1:9001")))
        #expect(routes[0].policy.profile == .strict)
        #expect(routes[0].policy.limits.holdBytes == 1 << 20)
        #expect(routes[1].match == RouteMatch(methods: ["POST", "PUT"], path: "/a"))
        #expect(routes[1].name == "/a")
        #expect(routes[1].destination == .upstream(try Address("127.0.0.1:9000")))
        #expect(routes[1].policy.mode == .observe)
        #expect(routes[1].policy.limits.parts == 3)
        #expect(routes[1].policy.limits.holdBytes == 4 << 10)
        #expect(routes[2].policy.findings.all.map(\.code) == ["preamble.present"])
        #expect(routes[2].policy.contentTypes == ["image/png"])
    }

    @Test func whatARouteDoesNotSayFollowsOptions() throws {
        let routes = try routes(["--profile", "balanced", "--limits-parts", "7"])
        #expect(routes.map(\.policy.profile) == [.balanced, .balanced, .balanced])
        #expect(routes.map(\.policy.limits.parts) == [7, 3, 7])
    }

    /// A demo and a sink go where they go, whatever upstream a route names.
    @Test func otherDestinationsAreKept() throws {
        let settings = try read(file: Self.file).get()
        let sink = settings.proxySettings(to: .sink).routes.routes
        #expect(sink.map(\.destination) == [.sink, .sink, .sink])
    }

    @Test func checkPrintsThemAsTheyAre() throws {
        let settings = try read(file: Self.file).get()
        let text = CheckCommand.text(of: settings)
        #expect(try read(file: text).get() == settings)
        #expect(text.contains("video.example.com"))
    }

    static let refusals: [(json: String, end: String)] = [
        ("[3]", "routes[0] is no object { … }"),
        (
            #"[{"paht": "/a"}]"#,
            "routes[0]: unknown key paht; did you mean path?"
        ),
        (
            #"[{}, {"limits": {"partz": 1}}]"#,
            "routes[1]: unknown key limits.partz; did you mean limits.parts?"
        ),
        (
            #"[{"lanes": 2}]"#,
            "routes[0]: lanes holds for all routes; set it at the top level"
        ),
        (
            #"[{"limits": {"headBytes": 2000}}]"#,
            "routes[0]: limits.headBytes holds for all routes; set it at the top level"
        ),
        (
            #"[{"mode": "on"}]"#,
            #"routes[0].mode: found "on", expected "enforce", "observe" or "off""#
        ),
        (
            #"[{"host": "a:80"}]"#,
            #"routes[0].host: found "a:80", expected a host without a port"#
        ),
        (
            #"[{"methods": ["post"]}]"#,
            #"routes[0].methods: found ["post"], expected methods, as in ["POST", "PUT"]"#
        ),
        (
            #"[{"path": "a"}]"#,
            #"routes[0].path: found "a", expected the first segments of a path, as in "/files""#
        ),
    ]

    @Test(arguments: refusals)
    func refusalsNameTheRoute(_ row: (json: String, end: String)) {
        let found = problems(file: "{routes: \(row.json)}")
        #expect(found == ["routes (weir.json5, line 1): found \(row.json). \(row.end)"])
    }

    @Test func neitherOptionNorVariableSetsThem() {
        #expect(problems(options: ["--routes=x"]).count == 1)
        #expect(problems(environment: ["WEIR_ROUTES": "[]"]) == ["unknown variable WEIR_ROUTES"])
    }

    @Test func aRouteSetsWhatJudgesABodyAndNothingElse() {
        let keys = SettingsCatalogue.all.filter(\.isOfRoutes).map(\.key)
        for key in ["upstream", "mode", "profile", "contentTypes", "findings", "hold"] {
            #expect(keys.contains(key))
        }
        for key in ["limits.bodyBytes", "limits.filenameBytes", "limits.files"] {
            #expect(keys.contains(key))
        }
        for key in ["listen", "connections", "lanes", "routes", "limits.headBytes", "drain"] {
            #expect(!keys.contains(key))
        }
        #expect(!keys.contains { $0.hasPrefix("timeouts.") })
    }
}
