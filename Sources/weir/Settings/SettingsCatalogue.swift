internal import HTTP1
internal import Inspection
internal import Proxy

/// Every setting there is, once.
///
/// Options, variables, configuration keys, their help, the example configuration and what
/// `weir check` prints all come from this table.
package enum SettingsCatalogue {
    package static let all: [Setting] = general + limits + timeouts + hashes + health

    /// The setting with this configuration key, or nil.
    package static func setting(forKey key: String) -> Setting? {
        all.first { $0.key == key }
    }

    /// The settings as one object, nested as a configuration file is.
    package static func object(of settings: CommandSettings) -> JSONValue {
        var members = general.map { JSONMember($0.name, $0.value(settings)) }
        for (group, entries) in [
            (Setting.Group.limits, limits), (.timeouts, timeouts), (.hashes, hashes),
            (.health, health),
        ] {
            let inner = entries.map { JSONMember($0.name, $0.value(settings)) }
            members.append(JSONMember(group.rawValue, .object(inner)))
        }
        return .object(members)
    }

    private static let general: [Setting] = [
        Setting("listen", .addresses, \.listen, "Where to accept connections; repeatable"),
        Setting(
            "upstream",
            .upstreams,
            \.upstream,
            "The servers that accepted requests go to; repeatable"
        ),
        Setting("mode", .choice, \.proxy.policy.mode, "Refuse, only record, or do not look"),
        Setting("profile", .choice, \.proxy.policy.profile, "Which findings block"),
        Setting(
            "contentTypes",
            .mediaTypes,
            \.proxy.policy.contentTypes,
            "Media types of bodies to accept"
        ),
        Setting("auditLog", .auditLog, \.auditLog, "Where audit records go"),
        Setting("auditFormat", .choice, \.auditFormat, "JSON in ECS keys, or a line to read"),
        Setting(
            "hold",
            .size(0...maximumHold),
            \.proxy.policy.limits.holdBytes,
            "A part up to this size is forwarded only once verified"
        ),
        Setting(
            "minimumRate",
            .size(1...largest, or: "off", zeroIsNone: true),
            \.proxy.minimumRate,
            "Fewest bytes a second from a client that is waited for"
        ),
        Setting(
            "connections",
            .count(1...1_000_000),
            \.proxy.connections,
            "Client connections at once"
        ),
        Setting(
            "connectionsPerAddress",
            .count(1...1_000_000, or: "unlimited"),
            \.proxy.connectionsPerAddress,
            "Of those, from one IPv4 address or IPv6 /64"
        ),
        Setting(
            "drain",
            .duration(.zero ... .seconds(86_400)),
            \.proxy.drain,
            "How long requests in flight may take to end at shutdown"
        ),
        Setting(
            "trustedNetworks",
            .networks,
            \.proxy.trustedNetworks,
            "Proxies that are believed on whom they send for"
        ),
        Setting(
            "proxyProtocol",
            .choice,
            \.proxy.proxyProtocol,
            "Whether every connection begins with a PROXY header"
        ),
        Setting("fidelity", .onOff, \.proxy.fidelity, "Hash what comes and goes, and record both"),
        Setting("lanes", .count(1...1024, or: "auto"), \.proxy.lanes, "Event loops"),
        Setting(
            "findings",
            .severities,
            \.proxy.policy.findings,
            "Severities of single codes, in the place of the profile's"
        ),
        Setting(
            "nestedDepth",
            .count(0...3),
            \.proxy.policy.nestedDepth,
            "Levels of multipart within parts to look into"
        ),
        Setting(
            "sniff",
            .onOff,
            \.proxy.policy.sniffs,
            "Look at the beginning of each file, to tell what it is"
        ),
        Setting(
            "deniedTypes",
            .deniedTypes,
            \.proxy.policy.deniedTypes,
            "Types no file may begin like, families (image/*) or groups"
        ),
        Setting(
            "upgrades",
            .upgrades,
            \.proxy.policy.upgrades,
            "Protocols a connection may switch to, unread"
        ),
        Setting(
            "digests",
            .digests,
            \.proxy.policy.digests,
            "Digests recorded of each part"
        ),
        Setting(
            "partDigests",
            .choice,
            \.proxy.policy.partDigests,
            "Who is told the digest of each part: upstream or client"
        ),
        Setting(
            "contract",
            .contract,
            \.proxy.policy.contract,
            "The fields a form must and may have; in a file alone"
        ),
        Setting(
            "balance",
            .choice,
            \.proxy.balance,
            "How the addresses of an upstream share requests"
        ),
        Setting(
            "resolve",
            .duration(.seconds(1) ... .seconds(86_400)),
            \.proxy.resolve,
            "How often names of upstreams are looked up again"
        ),
        Setting("routes", .routes, \.routes, "What holds for some requests only; in a file alone"),
    ]

    private static let limits: [Setting] = [
        Setting(
            "limits.bodyBytes",
            .size(0...largest, or: "unlimited"),
            \.proxy.policy.limits.bodyBytes,
            "Largest body"
        ),
        Setting(
            "limits.parts",
            .count(1...100_000),
            \.proxy.policy.limits.parts,
            "Parts of a body"
        ),
        Setting(
            "limits.files",
            .count(0...100_000),
            \.proxy.policy.limits.files,
            "Parts with a filename"
        ),
        Setting(
            "limits.partBytes",
            .size(0...largest, or: "unlimited"),
            \.proxy.policy.limits.partBytes,
            "Largest part"
        ),
        Setting(
            "limits.nonFileBytes",
            .size(0...largest),
            \.proxy.policy.limits.nonFileBytes,
            "All parts without a filename together"
        ),
        Setting(
            "limits.boundaryBytes",
            .size(1...256),
            \.proxy.policy.limits.boundaryBytes,
            "Longest boundary"
        ),
        Setting(
            "limits.partHeaderBytes",
            .size(64...maximumHead),
            \.proxy.policy.limits.partHeaderBytes,
            "Largest header block of a part"
        ),
        Setting(
            "limits.partHeaderLineBytes",
            .size(64...maximumHead),
            \.proxy.policy.limits.partHeaderLineBytes,
            "Longest header line of a part"
        ),
        Setting(
            "limits.partHeaderFields",
            .count(1...1000),
            \.proxy.policy.limits.partHeaderFields,
            "Header fields of a part"
        ),
        Setting(
            "limits.nameBytes",
            .size(1...maximumHead),
            \.proxy.policy.limits.nameBytes,
            "Longest field name"
        ),
        Setting(
            "limits.filenameBytes",
            .size(1...maximumHead),
            \.proxy.policy.limits.filenameBytes,
            "Longest filename"
        ),
        Setting(
            "limits.requestLineBytes",
            .size(64...maximumHead),
            \.proxy.headLimits.requestLineBytes,
            "Longest request line"
        ),
        Setting(
            "limits.fieldLineBytes",
            .size(64...maximumHead),
            \.proxy.headLimits.fieldLineBytes,
            "Longest field line of a request"
        ),
        Setting(
            "limits.headBytes",
            .size(256...maximumHead),
            \.proxy.headLimits.headBytes,
            "Largest request head"
        ),
        Setting(
            "limits.fields",
            .count(1...10_000),
            \.proxy.headLimits.fields,
            "Field lines of a request"
        ),
        Setting(
            "limits.chunkExtensionBytes",
            .size(0...maximumHead),
            \.proxy.chunkExtensionBytes,
            "All chunk extensions of a body together"
        ),
        Setting(
            "limits.trailerBytes",
            .size(0...maximumHead),
            \.proxy.trailerBytes,
            "Largest trailer section"
        ),
    ]

    private static let timeouts: [Setting] = [
        Setting("timeouts.head", wait, \.proxy.timeouts.head, "For a whole request head"),
        Setting(
            "timeouts.bodyIdle",
            wait,
            \.proxy.timeouts.bodyIdle,
            "Without a byte of body, while Weir is ready to read"
        ),
        Setting("timeouts.connect", wait, \.proxy.timeouts.connect, "To connect to the upstream"),
        Setting(
            "timeouts.firstByte",
            wait,
            \.proxy.timeouts.firstByte,
            "For the upstream's answer"
        ),
        Setting(
            "timeouts.keepAlive",
            wait,
            \.proxy.timeouts.keepAlive,
            "Between two requests of a connection"
        ),
        Setting(
            "timeouts.tunnel",
            wait,
            \.proxy.timeouts.tunnel,
            "Without a byte either way, after a switch of protocols"
        ),
    ]

    private static let hashes: [Setting] = [
        Setting(
            "hashes.deny",
            .files,
            \.hashFiles.deny,
            "Files of hashes; an upload of one of these is refused"
        ),
        Setting(
            "hashes.allow",
            .files,
            \.hashFiles.allow,
            "Files of hashes; only uploads of these are accepted"
        ),
    ]

    private static let health: [Setting] = [
        Setting(
            "health.failures",
            .count(1...1000, or: "off"),
            \.proxy.health.failures,
            "Failures in a row after which an address is left out"
        ),
        Setting(
            "health.pause",
            wait,
            \.proxy.health.pause,
            "For how long at first; twice as long each time again"
        ),
        Setting(
            "health.path",
            .target,
            \.proxy.health.path,
            "What to GET of each address to know whether it is well"
        ),
        Setting(
            "health.every",
            .duration(.milliseconds(100) ... .seconds(86_400)),
            \.proxy.health.every,
            "How often to ask"
        ),
    ]

    private static let wait = ValueKind.duration(.milliseconds(1) ... .seconds(86_400))

    /// Beyond any upload, and far enough from the largest integer for sums of a few.
    private static let largest = 1 << 50

    /// Memory each connection may take: what is held back lies in its read buffer.
    private static let maximumHold = 16 << 20

    /// Heads are kept whole, by each connection.
    private static let maximumHead = 1 << 20
}
