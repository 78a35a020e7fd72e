import weir

/// A valid value other than the default for every key: as an option or variable would have it,
/// and as a file would.
let sampleValues: [String: (text: String, json: String)] = [
    "listen": ("127.0.0.1:0,[::1]:0", #"["127.0.0.1:0", "[::1]:0"]"#),
    "upstream": (
        "http://127.0.0.1:9000,unix:/run/a.sock", #"["http://127.0.0.1:9000", "unix:/run/a.sock"]"#
    ),
    "balance": ("least-connections", #""least-connections""#),
    "resolve": ("1m", #""60s""#),
    "health.failures": ("5", "5"),
    "health.pause": ("500ms", #""500ms""#),
    "health.path": ("/healthz?a=b", #""/healthz?a=b""#),
    "health.every": ("1s", #""1s""#),
    "mode": ("observe", #""observe""#),
    "profile": ("strict", #""strict""#),
    "contentTypes": ("multipart/form-data", #"["multipart/form-data"]"#),
    "auditLog": ("/var/log/weir.log", #""/var/log/weir.log""#),
    "auditFormat": ("text", #""text""#),
    "hold": ("4KiB", #""4KiB""#),
    "minimumRate": ("off", "0"),
    "connections": ("5", "5"),
    "connectionsPerAddress": ("7", "7"),
    "drain": ("1m", #""60s""#),
    "trustedNetworks": ("10.0.0.0/8,::1,unix", #"["10.0.0.0/8", "::1/128", "unix"]"#),
    "proxyProtocol": ("required", #""required""#),
    "fidelity": ("on", "true"),
    "lanes": ("2", "2"),
    "findings": (
        "preamble.present=warn,filename.path=block",
        #"{"preamble.present": "warn", "filename.path": "block"}"#
    ),
    "nestedDepth": ("2", "2"),
    "sniff": ("off", "false"),
    "deniedTypes": ("text/html,image/*", #"["text/html", "image/*"]"#),
    "partDigests": ("both", #""both""#),
    "upgrades": ("websocket,mqtt/5", #"["websocket", "mqtt/5"]"#),
    "digests": ("md5,sha1", #"["sha1", "md5"]"#),
    "hashes.deny": ("/dev/null", #"["/dev/null"]"#),
    "hashes.allow": ("/dev/null", #"["/dev/null"]"#),
    "routes": (
        "",
        #"[{"path": "/a", "hold": "1MiB", "limits": {"parts": 3}}, {"host": "b", "mode": "off"}]"#
    ),
    "contract": (
        "",
        #"{"unknownFields": "allow", "fields": {"a": {"kind": "file", "maxBytes": "1MiB"}}}"#
    ),
    "limits.bodyBytes": ("1GB", "1000000000"),
    "limits.parts": ("3", "3"),
    "limits.files": ("2", "2"),
    "limits.partBytes": ("1MiB", "1048576"),
    "limits.nonFileBytes": ("1000", "1000"),
    "limits.boundaryBytes": ("60", "60"),
    "limits.partHeaderBytes": ("8KiB", #""8KiB""#),
    "limits.partHeaderLineBytes": ("1KiB", #""1KiB""#),
    "limits.partHeaderFields": ("4", "4"),
    "limits.nameBytes": ("100", "100"),
    "limits.filenameBytes": ("100", "100"),
    "limits.requestLineBytes": ("1KiB", #""1KiB""#),
    "limits.fieldLineBytes": ("1KiB", #""1KiB""#),
    "limits.headBytes": ("4KiB", #""4KiB""#),
    "limits.fields": ("10", "10"),
    "limits.chunkExtensionBytes": ("0", "0"),
    "limits.trailerBytes": ("100", "100"),
    "timeouts.head": ("1s", #""1s""#),
    "timeouts.bodyIdle": ("500ms", #""500ms""#),
    "timeouts.connect": ("2s", #""2s""#),
    "timeouts.firstByte": ("3s", #""3s""#),
    "timeouts.keepAlive": ("1h", #""1h""#),
    "timeouts.tunnel": ("2h", #""2h""#),
]

/// The settings `options` and the other sources make, or the sentences that say why not.
func read(
    options: [String] = [],
    environment: [String: String] = [:],
    file: String? = nil
) -> Result<CommandSettings, UsageProblems> {
    let arguments = ArgumentReader.read(["check"] + options)
    do throws(UsageProblems) {
        guard arguments.problems.isEmpty else { throw UsageProblems(arguments.problems) }
        var sources = SettingsSources(environment: environment, options: arguments.settings)
        if let file { sources.file = try ConfigurationFile(text: file, name: "weir.json5") }
        return .success(try SettingsReader.read(sources))
    } catch {
        return .failure(error)
    }
}

/// The sentences of a refusal; none where the settings were read.
func problems(
    options: [String] = [],
    environment: [String: String] = [:],
    file: String? = nil
) -> [String] {
    switch read(options: options, environment: environment, file: file) {
    case .success: []
    case .failure(let problems): problems.all.map(\.description)
    }
}

/// How `weir check` prints the value of a key.
func shown(_ key: String, in settings: CommandSettings) -> String? {
    SettingsCatalogue.setting(forKey: key).map { JSONText.line($0.value(settings)) }
}
