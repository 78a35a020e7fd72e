import Foundation
import Inspection
import Proxy
import Testing

/// Connections that carry more than one exchange, on both sides.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ConnectionTests {
    private static let get = "GET /g HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func bothSidesAreReused() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        for _ in 0..<3 {
            var client = try proxy.client()
            for number in 0..<5 {
                try client.post(form([UInt8(number)]), path: "/\(number)")
                #expect(try client.response().text == "/\(number)")
                try client.send(Self.get)
                #expect(try client.response().text == "/g")
            }
        }
        #expect(upstream.connections.count == 1)
        #expect(upstream.requests.count == 30)
        #expect(try proxy.records().requests.count == 30)
    }

    @Test(arguments: [1, 3, 50, Int.max])
    func pipelinedRequestsAreAnsweredInOrder(pieceSize: Int) throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        var bytes: [UInt8] = []
        for number in 0..<8 {
            let body = form([UInt8](repeating: 7, count: number * 10))
            switch number % 3 {
            case 0: bytes += Array("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            case 1:
                bytes += Array(
                    """
                    POST /\(number) HTTP/1.1\r
                    Host: h\r
                    Content-Type: \(formType)\r
                    Content-Length: \(body.count)\r
                    \r\n
                    """.utf8
                )
                bytes += body
            default:
                bytes += Array(
                    """
                    POST /\(number) HTTP/1.1\r
                    Host: h\r
                    Content-Type: \(formType)\r
                    Transfer-Encoding: chunked\r
                    \r
                    \(String(body.count, radix: 16))\r\n
                    """.utf8
                )
                bytes += body + Array("\r\n0\r\n\r\n".utf8)
            }
        }
        do {
            var client = try proxy.client()
            try client.send(bytes, inPiecesOf: pieceSize)
            for number in 0..<8 { #expect(try client.response().text == "/\(number)") }
        }
        #expect(upstream.requests.count == 8)
        #expect(try proxy.records().requests.count == 8)
    }

    /// A refused request ends the connection: what follows it on the wire is nobody's request.
    @Test func nothingBehindARefusedRequestIsServed() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            let bad = "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n"
            try client.send(bad + "Content-Length: 3\r\n\r\n--c\(Self.get)")
            let response = try client.response()
            #expect(response.status == 400)
            #expect(response.field("Connection") == "close")
            #expect(try client.next() == .end)
        }
        #expect(upstream.connections.isEmpty)
        #expect(try proxy.records().requests.count == 1)
    }

    @Test func askedToCloseTheProxyCloses() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.post(form([1]), fields: "Connection: close\r\n")
            let response = try client.response()
            #expect(response.text == "/u")
            #expect(response.field("Connection") == "close")
            #expect(try client.next() == .end)
            // The upstream was not asked to.
            var other = try proxy.client()
            try other.send(Self.get)
            #expect(try other.response().status == 200)
        }
        #expect(upstream.connections.count == 1)
        #expect(upstream.requests.compactMap { $0.field("Connection") } == [])
    }

    @Test func oldClients() throws {
        let upstream = try RecordingUpstream { peer in
            while try peer.request() != nil {
                let fields = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                try peer.send(fields + "2\r\nab\r\n0\r\n\r\n")
            }
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            // HTTP/1.0 knows no chunks: the end of the connection is the end of the body.
            var client = try proxy.client()
            try client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let response = try client.response()
            #expect(response.field("Transfer-Encoding") == nil)
            #expect(response.field("Connection") == "close")
            #expect(response.text == "ab")
            #expect(response.isComplete)
        }
        #expect(try proxy.records().onlyRequest().text("http.version") == "1.0")
    }

    @Test func headAnd304() throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            _ = try peer.request()
            try peer.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n")
            try peer.answerAll()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        try client.send("HEAD / HTTP/1.1\r\nHost: h\r\n\r\n" + Self.get + Self.get)
        let head = try client.response(isHead: true)
        #expect(head.field("Content-Length") == "5")
        let notModified = try client.response()
        #expect(notModified.status == 304)
        #expect(notModified.field("Content-Length") == "5")
        #expect(try client.response().text == "/g")
        #expect(upstream.connections.count == 1)
    }

    @Test func weirInvitesTheBodyOfAForm() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        let body = form([1, 2, 3])
        try client.send(
            "POST /e HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n"
                + "Expect: 100-continue\r\nContent-Length: \(body.count)\r\n\r\n"
        )
        #expect(try client.response().status == 100)
        try client.send(body)
        #expect(try client.response().text == "/e")
        #expect(upstream.requests.map(\.body) == [body])
        #expect(upstream.requests.compactMap { $0.field("Expect") } == [])
    }

    @Test func theUpstreamInvitesAnyOtherBody() throws {
        let upstream = try RecordingUpstream { peer in
            guard try peer.head() != nil else { return }
            try peer.send("HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n")
            try peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            try peer.receive(total: 1)
            try peer.answer("done")
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        try client.send(
            "PUT / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n"
                + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        )
        let hints = try client.response()
        #expect(hints.status == 103)
        #expect(hints.field("Link") == "x")
        #expect(try client.response().status == 100)
        try client.send("abc")
        #expect(try client.response().text == "done")
    }

    @Test func aRefusalIsSentInsteadOfAnInvitation() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) { $0.policy.limits.bodyBytes = 2 }
        var client = try proxy.client()
        try client.send(
            "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n"
                + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"
        )
        #expect(try client.response().status == 413)
        #expect(upstream.connections.isEmpty)
    }

    /// More bytes of heads on one connection than its buffer holds.
    ///
    /// In a process of its own: where it fails, the lane never comes back.
    @Test func manyHeadsWithoutBodies() async {
        await #expect(processExitsWith: .success) {
            do {
                let upstream = try RecordingUpstream()
                let proxy = try RunningProxy(upstream: upstream.port)
                var client = try RawClient(port: proxy.port, patience: 3000)
                let field = "X: \(String(repeating: "y", count: 8000))\r\n"
                for _ in 0..<20 {
                    try client.send("GET / HTTP/1.1\r\nHost: h\r\n\(field)\(field)\(field)\r\n")
                    guard try client.response().status == 200 else { exit(1) }
                }
                exit(0)
            } catch {
                exit(2)
            }
        }
    }
}
