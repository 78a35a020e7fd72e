import HTTP1
import Testing
import Wire

@Suite struct HopByHopTests {
    /// The names that pass, of a request with `fields`.
    private func forwarded(_ fields: String, isUpgrading: Bool = false) throws -> [String] {
        let input = Array("GET / HTTP/1.1\r\nHost: h\r\n\(fields)\r\n".utf8)
        let section = try #require(RequestOutcome(parsing: [input[...]]).head).fields
        let hop = HopByHop(fields: section, isUpgrading: isUpgrading)
        return section.lines.filter(hop.forwards).map { section.text(of: $0.name) }
    }

    @Test func whatTheProxyWritesItselfIsNotCopied() throws {
        #expect(try forwarded("Content-Length: 5\r\nX-A: 1\r\n") == ["X-A"])
        #expect(try forwarded("Transfer-Encoding: chunked\r\nX-A: 1\r\n") == ["X-A"])
    }

    @Test func fieldsOfThisHopAreNotCopied() throws {
        let fields = """
            Keep-Alive: 1\r
            Proxy-Connection: close\r
            TE: trailers\r
            Trailer: x\r
            Upgrade: websocket\r
            HTTP2-Settings: AA\r
            Connection: TE\r
            X-A: 1\r

            """
        #expect(try forwarded(fields) == ["X-A"])
    }

    @Test func listedFieldsAreNotCopied() throws {
        let fields = "Connection: X-hop, close\r\nx-HOP: 1\r\nX-A: 1\r\nX-Hop: 2\r\nX-Hops: 3\r\n"
        #expect(try forwarded(fields) == ["X-A", "X-Hops"])
        let two = "Connection: X-A\r\nX-A: 1\r\nX-B: 1\r\nX-C: 1\r\nConnection: ,X-B,\r\n"
        #expect(try forwarded(two) == ["X-C"])
    }

    @Test func fieldsForAllRecipientsCannotBeListed() throws {
        let fields =
            "Connection: Content-Type, Authorization\r\nContent-Type: a/b\r\nAuthorization: c\r\n"
        #expect(try forwarded(fields) == ["Content-Type", "Authorization"])
    }

    @Test func aFieldNamedLikeAnOptionIsCopied() throws {
        #expect(try forwarded("Connection: close\r\nClose: 1\r\n") == ["Close"])
    }

    @Test func upgradePassesOnlyWithAnUpgrade() throws {
        let fields = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n"
        #expect(try forwarded(fields) == ["Sec-WebSocket-Key"])
        #expect(try forwarded(fields, isUpgrading: true) == ["Upgrade", "Sec-WebSocket-Key"])
    }
}
