import HTTP1
import TestSupport
import Testing

/// What a message says of its way, however it says it.
@Suite struct ForwardedTests {
    private static func fields(_ lines: [String]) throws -> FieldSection {
        let text = "GET / HTTP/1.0\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n"
        let whole = RequestOutcome(parsing: [Array(text.utf8)[...]])
        for cut in cuts(of: Array(text.utf8)) { #expect(RequestOutcome(parsing: cut) == whole) }
        return try #require(whole.head).fields
    }

    static let good: [(String, ForwardedNode)] = [
        ("192.0.2.1", .address("192.0.2.1")), ("192.0.2.1:0", .address("192.0.2.1")),
        ("192.0.2.1:65535", .address("192.0.2.1")), ("192.0.2.1:_p", .address("192.0.2.1")),
        ("[::1]", .address("::1")), ("[2001:DB8::1]:443", .address("2001:DB8::1")),
        ("[::ffff:192.0.2.1]", .address("::ffff:192.0.2.1")),
        ("unknown", .unknown), ("UNKNOWN:80", .unknown),
        ("_a", .obfuscated("_a")), ("_A.b-c_9:_x", .obfuscated("_A.b-c_9")),
    ]

    static let bad = [
        "", ":", ":80", "192.0.2.1:", "192.0.2.1:65536", "192.0.2.1:123456", "192.0.2.1:+1",
        "192.0.2.1:8x", "192.0.2.1:_", "192.0.2.256", "192.0.2", "192.0.2.1.5", "192.0.02.1",
        "0x7f.0.0.1", "1", "[::1", "[]", "[::1]x", "[::1]:", "[192.0.2.1]", "[fe80::1%lo]",
        "::1]", "_", "_a/b", "_\u{E9}", "unknown1", "localhost", "a.example", "-",
        "192.0.2.1 80", "\"192.0.2.1\"",
    ]

    @Test(arguments: good)
    func nodes(_ text: String, node: ForwardedNode) {
        #expect(ForwardedNode(Array(text.utf8).span) == node)
        #expect(ForwardedNode(Array(text.utf8).span, allowsBareIPv6: true) == node)
    }

    @Test(arguments: bad)
    func malformedNodes(_ text: String) {
        #expect(ForwardedNode(Array(text.utf8).span) == nil)
        #expect(ForwardedNode(Array(text.utf8).span, allowsBareIPv6: true) == nil)
    }

    @Test func bareIPv6IsForTheOldFieldAlone() {
        let bytes = Array("2001:db8::1".utf8)
        #expect(ForwardedNode(bytes.span) == nil)
        #expect(ForwardedNode(bytes.span, allowsBareIPv6: true) == .address("2001:db8::1"))
    }

    // MARK: X-Forwarded-For

    static let oldChains: [([String], nodes: [String], isPresent: Bool)] = [
        ([], [], false),
        ([""], [], false),
        ([" , ,"], [], false),
        (["192.0.2.1"], ["192.0.2.1"], true),
        (["192.0.2.1,192.0.2.2 , ::1"], ["192.0.2.1", "192.0.2.2", "::1"], true),
        (["192.0.2.1", "192.0.2.2"], ["192.0.2.1", "192.0.2.2"], true),
        (["a, unknown, _x, [::1]:5"], ["unknown", "_x", "::1"], true),
        (["192.0.2.1", "x", "192.0.2.2"], ["192.0.2.2"], true),
        (["192.0.2.1, x"], [], true),
        (["x", ""], [], true),
    ]

    @Test(arguments: oldChains)
    func oldChain(lines: [String], nodes: [String], isPresent: Bool) throws {
        let fields = try Self.fields(lines.map { "x-forwarded-FOR: \($0)" })
        let chain = ForwardedChain(xForwardedFor: fields)
        #expect(chain.elements.map(\.node.said) == nodes)
        #expect(chain.isPresent == isPresent)
        #expect(chain.elements.allSatisfy { $0.text.isEmpty })
    }

    /// A chain longer than any real one costs nobody more than the longest real one.
    @Test(arguments: ["X-Forwarded-For: ", "Forwarded: for="])
    func onlyTheRightOfALongChainIsRead(begin: String) throws {
        let separator = begin.hasPrefix("X") ? ", " : ", for="
        let nodes = (0..<100).map { "10.0.0.\($0)" }
        let fields = try Self.fields([begin + nodes.joined(separator: separator)])
        let chain =
            begin.hasPrefix("X")
            ? ForwardedChain(xForwardedFor: fields) : ForwardedChain(forwarded: fields)
        #expect(chain.elements.map(\.node.said) == Array(nodes.suffix(64)))
        #expect(chain.isPresent)
    }

    // MARK: Forwarded

    /// One line, and its elements as node, host, scheme and text; nil where it is malformed.
    static let lines: [(String, [[String]]?)] = [
        ("", []),
        (", ,", []),
        ("for=192.0.2.1", [["192.0.2.1", "", "", "for=192.0.2.1"]]),
        ("For=\"[::1]:80\"", [["::1", "", "", "For=\"[::1]:80\""]]),
        (
            "for=_x;host=\"a.b:1\";proto=HTTPS;by=who-ever;x=\"a,b;\\\"c\"",
            [
                [
                    "_x", "a.b:1", "https",
                    "for=_x;host=\"a.b:1\";proto=HTTPS;by=who-ever;x=\"a,b;\\\"c\"",
                ]
            ]
        ),
        (
            "for=192.0.2.1 ; proto=http,\t;for=unknown;, host=\"h\"",
            [
                ["192.0.2.1", "", "http", "for=192.0.2.1 ; proto=http"],
                ["unknown", "", "", ";for=unknown;"], ["unknown", "h", "", "host=\"h\""],
            ]
        ),
        ("proto=ftp", [["unknown", "", "", "proto=ftp"]]),
        ("for", nil), ("for=", nil), ("=x", nil), ("for =x", nil), ("for= x", nil),
        ("for=192.0.2.1 proto=http", nil), ("for=\"192.0.2.1", nil), ("for=\"x\\\"", nil),
        ("for=\"", nil), ("for=\"\"", nil), ("for=192.0.2.1:80", nil), ("for=::1", nil),
        ("for=[::1]", nil), ("for=nobody", nil), ("for=_x;FOR=_x", nil), ("x=1;x=2", nil),
        ("host=\"a b\"", nil), ("host=a:1", nil), ("host=\"a/b\"", nil), ("for=_x, for=\"", nil),
        ("for=\", for=192.0.2.1", nil), ("for=\"192.0.2.1\"x", nil), ("for=_x @", nil),
        ("for=\"\\[::1]\"", nil),
    ]

    @Test(arguments: lines)
    func newLine(_ value: String, expected: [[String]]?) throws {
        let chain = ForwardedChain(forwarded: try Self.fields(["Forwarded: \(value)"]))
        let said = chain.elements.map { [$0.node.said, $0.host ?? "", $0.scheme ?? "", $0.text] }
        #expect(said == expected ?? [])
        #expect(chain.isPresent == (expected?.isEmpty != true))
    }

    @Test func newChainEndsAtTheMalformedLine() throws {
        let fields = try Self.fields([
            "Forwarded: for=_a", "Forwarded: for=\"", "forwarded: for=_b, for=_c",
            "Forwarded: for=_d",
        ])
        let chain = ForwardedChain(forwarded: fields)
        #expect(chain.elements.map(\.node.said) == ["_b", "_c", "_d"])
    }

    /// What the element says as text reads back as that element.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mutatedLinesReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let alphabet = Array("for=\"_x;,host proto:[]1.\\\t".utf8)
        for _ in 0..<1000 {
            let (line, _) = Self.lines[Int.random(in: 0..<Self.lines.count, using: &random)]
            var bytes = Array(line.utf8)
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                if Bool.random(using: &random) || place == bytes.count {
                    bytes.insert(byte, at: place)
                } else {
                    bytes[place] = byte
                }
            }
            let value = String(decoding: bytes, as: UTF8.self)
            let text = "GET / HTTP/1.0\r\nForwarded: \(value)\r\n\r\n"
            let head = try #require(RequestOutcome(parsing: [Array(text.utf8)[...]]).head)
            let chain = ForwardedChain(forwarded: head.fields)
            let again = "Forwarded: " + chain.elements.map(\.text).joined(separator: ", ")
            let read = ForwardedChain(
                forwarded: try #require(
                    RequestOutcome(
                        parsing: [Array("GET / HTTP/1.0\r\n\(again)\r\n\r\n".utf8)[...]]
                    ).head
                ).fields
            )
            #expect(read.elements == chain.elements, "\(value)")
        }
    }

    // MARK: Single values

    @Test(
        arguments: [
            (["a.example:8080"], "a.example:8080"), (["[::1]"], "[::1]"), ([""], nil),
            (["a, b"], nil),
            (["a", "a"], nil), (["a/b"], nil), ([], nil),
        ] as [([String], String?)]
    )
    func hosts(_ values: [String], host: String?) throws {
        let fields = try Self.fields(values.map { "X-Forwarded-Host: \($0)" })
        #expect(fields.forwardedHost == host)
    }

    @Test(
        arguments: [
            (["https"], "https"), (["HTTP"], "http"), (["https, http"], nil), (["ftp"], nil),
            (["https", "https"], nil), ([], nil),
        ] as [([String], String?)]
    )
    func schemes(_ values: [String], scheme: String?) throws {
        let fields = try Self.fields(values.map { "X-Forwarded-Proto: \($0)" })
        #expect(fields.forwardedScheme == scheme)
    }

    @Test(arguments: [
        ("X-Forwarded-Port", true, false), ("x_forwarded_for", true, true),
        ("X-Forwarded_For", true, true), ("X-REAL_IP", true, true), ("X-Forwarded-", true, false),
        ("X-Forwarded", false, false), ("X-Forwarde", false, false), ("X-Real-IPs", false, false),
        ("Y-Forwarded-For", false, false), ("X-Forwarded-For", false, false),
    ])
    func claims(_ name: String, ofAnyone: Bool, ofTheTrusted: Bool) throws {
        let fields = try Self.fields(["\(name): 1"])
        #expect(fields.claimsOrigin(fields.lines[0], isTrusted: false) == ofAnyone)
        #expect(fields.claimsOrigin(fields.lines[0], isTrusted: true) == ofTheTrusted)
    }
}

extension ForwardedNode {
    fileprivate var said: String {
        switch self {
        case .address(let text), .obfuscated(let text): text
        case .unknown: "unknown"
        }
    }
}
