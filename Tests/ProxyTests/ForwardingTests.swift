import HTTP1
import Testing
import Transport

@testable import Proxy

/// Golden heads: what goes to the upstream and to the client, line by line.
@Suite struct RequestForwardingTests {
    private static func forwarded(
        _ head: String,
        framing: BodyFraming? = nil,
        client: String = "192.0.2.1",
        trusted: [String] = [],
        upgrade: String? = nil,
        keepsExpectation: Bool = false
    ) throws -> String {
        let request = try RequestHead.parsed(head)
        let peer = SocketAddress(ip: client, port: 1) ?? SocketAddress(path: "")
        let origin = RequestOrigin(
            of: request,
            from: peer,
            ip: peer.ip,
            trusted: trusted.compactMap { Network($0) }
        )
        var random = RandomBits()
        let forwarding = RequestForwarding(
            request: request,
            framing: framing ?? request.framing,
            origin: origin,
            names: RequestNames(of: request.fields, exchangeID: "ID", random: &random),
            upgrade: upgrade,
            keepsExpectation: keepsExpectation
        )
        // A trace that was made is another each time; here it is always the same.
        return String(decoding: forwarding.head(), as: UTF8.self)
            .replacing("traceparent: \(forwarding.names.trace.text)\r\n", with: madeTrace)
    }

    private static let madeTrace = "traceparent: T\r\n"

    @Test func everythingAtOnce() throws {
        let head = """
            POST http://a.example:8080/p?q=%41 HTTP/1.1\r
            Host: other.example\r
            Connection: close, X-Gone\r
            X-Gone: 1\r
            Keep-Alive: timeout=5\r
            Proxy-Connection: keep-alive\r
            TE: trailers\r
            Trailer: X-T\r
            Upgrade: h2c\r
            HTTP2-Settings: AAMA\r
            X-Kept: \t a  b \t\r
            Forwarded: for=evil\r
            X-Forwarded-For: evil\r
            X-Forwarded-Host: evil\r
            X-Forwarded-Proto: https\r
            X-Forwarded-Port: 1\r
            X_Forwarded_For: evil\r
            X-Real-IP: evil\r
            traceparent: evil\r
            tracestate: evil\r
            via: 1.0 front\r
            Expect: 100-continue\r
            Content-Type: text/plain\r
            Content-Length: 5\r
            Authorization: Basic eA==\r
            x-kept: c\r
            \r\n
            """
        let expected = """
            POST /p?q=%41 HTTP/1.1\r
            Host: a.example:8080\r
            X-Kept: a  b\r
            via: 1.0 front\r
            Content-Type: text/plain\r
            Authorization: Basic eA==\r
            x-kept: c\r
            Via: 1.1 weir\r
            Forwarded: for=192.0.2.1;host="a.example:8080";proto=http\r
            X-Forwarded-For: 192.0.2.1\r
            X-Forwarded-Host: a.example:8080\r
            X-Forwarded-Proto: http\r
            X-Real-IP: 192.0.2.1\r
            X-Request-Id: ID\r
            traceparent: T\r
            Content-Length: 5\r
            \r\n
            """
        #expect(try Self.forwarded(head) == expected)
    }

    @Test func chunkedStaysChunked() throws {
        let head = "PUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: h\r\n\r\n"
        let expected = """
            PUT / HTTP/1.1\r
            Host: h\r
            Via: 1.1 weir\r
            Forwarded: for=192.0.2.1;host="h";proto=http\r
            X-Forwarded-For: 192.0.2.1\r
            X-Forwarded-Host: h\r
            X-Forwarded-Proto: http\r
            X-Real-IP: 192.0.2.1\r
            X-Request-Id: ID\r
            traceparent: T\r
            Transfer-Encoding: chunked\r
            \r\n
            """
        #expect(try Self.forwarded(head) == expected)
        let counted = try Self.forwarded(head, framing: .length(7))
        #expect(counted.hasSuffix("\r\nContent-Length: 7\r\n\r\n"))
        #expect(!counted.contains("chunked"))
    }

    @Test func anOldClientWithoutHost() throws {
        let expected = """
            GET /x HTTP/1.1\r
            Host: \r
            Via: 1.0 weir\r
            Forwarded: for=192.0.2.1;proto=http\r
            X-Forwarded-For: 192.0.2.1\r
            X-Forwarded-Proto: http\r
            X-Real-IP: 192.0.2.1\r
            X-Request-Id: ID\r
            traceparent: T\r
            \r\n
            """
        #expect(try Self.forwarded("GET /x HTTP/1.0\r\n\r\n") == expected)
    }

    @Test(arguments: [
        ("2001:DB8::1", "for=\"[2001:db8::1]\";host=\"h\";proto=http", "2001:db8::1"),
        ("", "for=unknown;host=\"h\";proto=http", "unknown"),
    ])
    func otherClientAddresses(client: String, forwarded: String, plain: String) throws {
        let head = try Self.forwarded("GET / HTTP/1.1\r\nHost: h\r\n\r\n", client: client)
        #expect(head.contains("\r\nForwarded: \(forwarded)\r\n"))
        #expect(head.contains("\r\nX-Forwarded-For: \(plain)\r\n"))
        #expect(head.contains("X-Real-IP") == !client.isEmpty)
    }

    @Test func theClientsRequestIDStays() throws {
        let head = try Self.forwarded("GET / HTTP/1.1\r\nHost: h\r\nX-Request-ID: mine\r\n\r\n")
        #expect(head.contains("\r\nX-Request-Id: mine\r\n"))
        #expect(!head.contains(": ID\r\n"))
        let odd = try Self.forwarded("GET / HTTP/1.1\r\nHost: h\r\nX-Request-ID: a b\r\n\r\n")
        #expect(odd.contains("\r\nX-Request-Id: ID\r\n"))
        #expect(!odd.contains("a b"))
    }

    @Test func theClientsTraceStaysUnchanged() throws {
        let trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00"
        let state = "tracestate: a=1\r\ntracestate: b=2\r\n"
        let head = try Self.forwarded(
            "GET / HTTP/1.1\r\nHost: h\r\nTraceparent: \(trace)\r\n\(state)\r\n"
        )
        #expect(head.contains("\r\nTraceparent: \(trace)\r\n\(state)"))
        #expect(!head.contains("\r\ntraceparent"))
    }

    @Test(arguments: [
        ("OPTIONS", "1", "0"), ("OPTIONS", "010", "9"), ("OPTIONS", "1001", "999"),
        ("OPTIONS", "99999999999999999999999", "999"), ("GET", "0", "0"), ("GET", "x", "x"),
        ("options", "5", "5"),
    ])
    func maxForwardsIsCountedDown(method: String, received: String, sent: String) throws {
        let head = "\(method) / HTTP/1.1\r\nHost: h\r\nmax-forwards: \(received)\r\n\r\n"
        let lines = try Self.forwarded(head).split(separator: "\r\n")
        let name = method == "OPTIONS" ? "Max-Forwards" : "max-forwards"
        #expect(lines.filter { $0.lowercased().hasPrefix("max-") } == ["\(name): \(sent)"])
    }

    @Test func anUpgradeIsWrittenAnew() throws {
        let head = try Self.forwarded(
            "GET / HTTP/1.1\r\nHost: h\r\nConnection: x, UPGRADE\r\nUpgrade: WebSocket\r\n"
                + "X: gone\r\nSec-WebSocket-Key: k\r\n\r\n",
            upgrade: "websocket"
        )
        #expect(head.contains("\r\nSec-WebSocket-Key: k\r\n"))
        #expect(!head.contains("gone"))
        #expect(head.hasSuffix("\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"))
        #expect(head.lowercased().components("upgrade:") == 1)
    }

    @Test func theExpectationGoesOnOnlyWhereTheUpstreamIsAsked() throws {
        let head = "PUT / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\n"
        #expect(try !Self.forwarded(head).contains("Expect"))
        let asking = try Self.forwarded(head, keepsExpectation: true)
        #expect(asking.contains("\r\nExpect: 100-continue\r\n"))
    }

    /// A Connection option may not take away what was checked here.
    @Test func connectionOptionsStripNothingThatIsKnown() throws {
        let head = """
            POST / HTTP/1.1\r
            Host: h\r
            Connection: Content-Type, Content-Digest, Cookie, Range\r
            Content-Type: text/plain\r
            Content-Digest: x\r
            Cookie: y\r
            Range: z\r
            Content-Length: 0\r
            \r\n
            """
        let forwarded = try Self.forwarded(head)
        for line in ["Content-Type: text/plain", "Content-Digest: x", "Cookie: y", "Range: z"] {
            #expect(forwarded.contains("\r\n\(line)\r\n"))
        }
        #expect(!forwarded.contains("Connection"))
    }
}

@Suite struct ResponseForwardingTests {
    private static func forwarded(
        _ response: String,
        to request: String = "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        closes: Bool = false
    ) throws -> (head: String, framing: BodyFraming, closes: Bool) {
        let request = try RequestHead.parsed(request)
        let forwarding = ResponseForwarding(
            response: try ResponseHead(response, answering: request.method),
            to: request,
            closes: closes
        )
        let head = String(decoding: forwarding.head(), as: UTF8.self)
        return (head, forwarding.framing, forwarding.closes)
    }

    @Test func everythingAtOnce() throws {
        let response = """
            HTTP/1.1 201 Made \u{E9}\r
            Server: s\r
            Connection: keep-alive, X-Gone\r
            Keep-Alive: timeout=5\r
            X-Gone: 1\r
            Set-Cookie: a\r
            Set-Cookie: b\r
            Via: 1.1 back\r
            Content-Length: 3\r
            \r\n
            """
        let expected = """
            HTTP/1.1 201 Made \u{E9}\r
            Server: s\r
            Set-Cookie: a\r
            Set-Cookie: b\r
            Via: 1.1 back\r
            Via: 1.1 weir\r
            Content-Length: 3\r
            \r\n
            """
        let (head, framing, closes) = try Self.forwarded(response)
        #expect(head == expected)
        #expect(framing == .length(3))
        #expect(!closes)
        let closing = try Self.forwarded(response, closes: true)
        #expect(closing.head.hasSuffix("Content-Length: 3\r\nConnection: close\r\n\r\n"))
    }

    @Test func chunkedForTheNewAndUntilCloseForTheOld() throws {
        let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let new = try Self.forwarded(response)
        #expect(
            new.head
                == "HTTP/1.1 200 OK\r\nVia: 1.1 weir\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        let old = try Self.forwarded(
            response,
            to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        )
        #expect(old.head == "HTTP/1.1 200 OK\r\nVia: 1.1 weir\r\nConnection: close\r\n\r\n")
        #expect(old.framing == .untilClose)
        #expect(old.closes)
    }

    @Test func anOldClientIsToldThatItMayStay() throws {
        let (head, _, closes) = try Self.forwarded(
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            to: "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"
        )
        #expect(head.hasSuffix("Content-Length: 0\r\nConnection: keep-alive\r\n\r\n"))
        #expect(!closes)
    }

    @Test func aBodyThatEndsWithTheConnectionEndsTheClientsToo() throws {
        let (head, framing, closes) = try Self.forwarded("HTTP/1.1 200 OK\r\n\r\n")
        #expect(head == "HTTP/1.1 200 OK\r\nVia: 1.1 weir\r\nConnection: close\r\n\r\n")
        #expect(framing == .untilClose)
        #expect(closes)
    }

    @Test(arguments: [
        ("HTTP/1.1 304 Not Modified\r\n", "GET / HTTP/1.1\r\nHost: h\r\n\r\n"),
        ("HTTP/1.1 200 OK\r\n", "HEAD / HTTP/1.1\r\nHost: h\r\n\r\n"),
    ])
    func lengthsOfBodiesThatAreNotSentStay(response: String, request: String) throws {
        let (head, framing, closes) = try Self.forwarded(
            response + "Content-Length: 77\r\n\r\n",
            to: request
        )
        #expect(head == response + "Via: 1.1 weir\r\nContent-Length: 77\r\n\r\n")
        #expect(framing == .none)
        #expect(!closes)
    }

    @Test func aSwitchIsWrittenAnew() throws {
        let (head, _, _) = try Self.forwarded(
            "HTTP/1.1 101 Now\r\nupgrade: WebSocket\r\nconnection: keep-alive, Upgrade\r\n"
                + "Sec-WebSocket-Accept: a\r\nContent-Length: 5\r\n\r\n"
        )
        #expect(
            head == "HTTP/1.1 101 Now\r\nSec-WebSocket-Accept: a\r\nVia: 1.1 weir\r\n"
                + "Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
        )
    }

    @Test func interimResponsesSayNothingOfBodiesOrConnections() throws {
        let early = "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nContent-Length: 5\r\n\r\n"
        let (head, _, _) = try Self.forwarded(early, closes: true)
        #expect(head == "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\nVia: 1.1 weir\r\n\r\n")
    }
}

extension RequestHead {
    /// Parses a whole head.
    static func parsed(_ text: String) throws -> RequestHead {
        var parser = RequestHeadParser(limits: HeadLimits())
        let bytes = Array(text.utf8)
        let consumed = try parser.consume(bytes.span)
        try #require(consumed == bytes.count)
        return try parser.takeHead()
    }
}

extension String {
    /// How often `text` is in this one.
    fileprivate func components(_ text: String) -> Int { split(separator: text).count - 1 }
}

extension ResponseHead {
    /// Parses a whole head.
    init(_ text: String, answering method: String) throws {
        var parser = ResponseHeadParser(limits: HeadLimits())
        let bytes = Array(text.utf8)
        let consumed = try parser.consume(bytes.span)
        try #require(consumed == bytes.count)
        self = try parser.takeHead(answering: method)
    }
}
