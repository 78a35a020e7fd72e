import HTTP1
import Testing
import Transport

@testable import Proxy

/// Whom a request is from, and what of that is told to the upstream.
@Suite struct RequestOriginTests {
    /// Fields of a request from 10.0.0.9, to host `h`, where 10.0.0.0/8 and ::1 are trusted.
    struct Row: CustomTestStringConvertible {
        let fields: [String]
        let client: String
        let forwardedFor: String
        let forwarded: String
        var host = "h"
        var scheme = "http"

        var testDescription: String { fields.joined(separator: " | ") }
    }

    private static let own = "for=10.0.0.9;host=\"h\";proto=http"

    static let rows = [
        Row(fields: [], client: "10.0.0.9", forwardedFor: "10.0.0.9", forwarded: own),
        Row(
            fields: ["X-Forwarded-For: 192.0.2.1"],
            client: "192.0.2.1",
            forwardedFor: "192.0.2.1, 10.0.0.9",
            forwarded: "for=192.0.2.1, \(own)"
        ),
        Row(
            fields: [
                "X-Forwarded-For: evil, 6.6.6.6, 192.0.2.1:99, 10.0.0.1", "X-Forwarded-For: ::1",
            ],
            client: "192.0.2.1",
            forwardedFor: "6.6.6.6, 192.0.2.1, 10.0.0.1, ::1, 10.0.0.9",
            forwarded: "for=6.6.6.6, for=192.0.2.1, for=10.0.0.1, for=\"[::1]\", \(own)"
        ),
        Row(
            fields: ["X-Forwarded-For: 10.0.0.1, 10.0.0.2"],
            client: "10.0.0.1",
            forwardedFor: "10.0.0.1, 10.0.0.2, 10.0.0.9",
            forwarded: "for=10.0.0.1, for=10.0.0.2, \(own)"
        ),
        Row(
            fields: ["X-Forwarded-For: 192.0.2.1, unknown, 10.0.0.2"],
            client: "10.0.0.2",
            forwardedFor: "192.0.2.1, unknown, 10.0.0.2, 10.0.0.9",
            forwarded: "for=192.0.2.1, for=unknown, for=10.0.0.2, \(own)"
        ),
        Row(
            fields: ["X-Forwarded-For: 192.0.2.1, <evil>"],
            client: "10.0.0.9",
            forwardedFor: "10.0.0.9",
            forwarded: own
        ),
        Row(
            fields: ["Forwarded: for=\"[2001:DB8::5]:1\";proto=https;host=a.example;by=_b"],
            client: "2001:db8::5",
            forwardedFor: "2001:db8::5, 10.0.0.9",
            forwarded: "for=\"[2001:DB8::5]:1\";proto=https;host=a.example;by=_b, \(own)",
            host: "a.example",
            scheme: "https"
        ),
        Row(
            fields: ["Forwarded: for=1.1.1.1;host=evil, for=192.0.2.1;proto=https, for=10.0.0.1"],
            client: "192.0.2.1",
            forwardedFor: "1.1.1.1, 192.0.2.1, 10.0.0.1, 10.0.0.9",
            forwarded: "for=1.1.1.1;host=evil, for=192.0.2.1;proto=https, for=10.0.0.1, \(own)",
            scheme: "https"
        ),
        Row(
            fields: ["Forwarded: for=192.0.2.1", "Forwarded: for=\"", "Forwarded: for=_x"],
            client: "10.0.0.9",
            forwardedFor: "_x, 10.0.0.9",
            forwarded: "for=_x, \(own)"
        ),
        // A proxy that knows the old field only has passed on what the client has invented.
        Row(
            fields: ["Forwarded: for=6.6.6.6;host=evil", "X-Forwarded-For: 192.0.2.1"],
            client: "192.0.2.1",
            forwardedFor: "192.0.2.1, 10.0.0.9",
            forwarded: "for=192.0.2.1, \(own)"
        ),
        Row(
            fields: ["Forwarded: for=192.0.2.1", "X-Forwarded-For: !"],
            client: "10.0.0.9",
            forwardedFor: "10.0.0.9",
            forwarded: own
        ),
        Row(
            fields: [
                "Forwarded: for=\"[::FFFF:192.0.2.1]\";proto=https", "X-Forwarded-For: 192.0.2.1",
            ],
            client: "192.0.2.1",
            forwardedFor: "192.0.2.1, 10.0.0.9",
            forwarded: "for=\"[::FFFF:192.0.2.1]\";proto=https, \(own)",
            scheme: "https"
        ),
        Row(
            fields: [
                "Forwarded: for=192.0.2.1;host=b", "X-Forwarded-Host: a.example:8443",
                "X-Forwarded-Proto: HTTPS",
            ],
            client: "192.0.2.1",
            forwardedFor: "192.0.2.1, 10.0.0.9",
            forwarded: "for=192.0.2.1;host=b, \(own)",
            host: "a.example:8443",
            scheme: "https"
        ),
        Row(
            fields: ["X-Forwarded-Host: a, b", "X-Forwarded-Proto: gopher"],
            client: "10.0.0.9",
            forwardedFor: "10.0.0.9",
            forwarded: own
        ),
    ]

    private static func origin(
        _ fields: [String],
        from peer: SocketAddress?,
        trusted: [String] = ["10.0.0.0/8", "::1"]
    ) throws -> RequestOrigin {
        let lines = fields.map { $0 + "\r\n" }.joined()
        let peer = try #require(peer)
        return RequestOrigin(
            of: try RequestHead.parsed("GET / HTTP/1.1\r\nHost: h\r\n\(lines)\r\n"),
            from: peer,
            ip: peer.ip,
            trusted: trusted.compactMap { Network($0) }
        )
    }

    @Test(arguments: rows)
    func aTrustedPeerIsBelieved(_ row: Row) throws {
        let origin = try Self.origin(row.fields, from: SocketAddress(ip: "10.0.0.9", port: 5))
        #expect(origin.isTrusted)
        #expect(origin.client == row.client)
        #expect(origin.told("X-Forwarded-For") == row.forwardedFor)
        #expect(origin.told("Forwarded") == row.forwarded)
        #expect(origin.told("X-Forwarded-Host") == row.host)
        #expect(origin.scheme == row.scheme)
    }

    @Test(arguments: rows)
    func anyoneElseIsNot(_ row: Row) throws {
        for trusted in [[], ["10.0.0.0/8"]] {
            let peer = SocketAddress(ip: "192.0.2.77", port: 5)
            let origin = try Self.origin(row.fields, from: peer, trusted: trusted)
            #expect(!origin.isTrusted)
            #expect(origin.client == "192.0.2.77")
            #expect(origin.told("X-Forwarded-For") == "192.0.2.77")
            #expect(origin.told("Forwarded") == "for=192.0.2.77;host=\"h\";proto=http")
            #expect(origin.told("X-Forwarded-Host") == "h")
            #expect(origin.scheme == "http")
        }
    }

    @Test func aUnixSocketIsTrustedIfSaid() throws {
        let fields = ["X-Forwarded-For: 192.0.2.1"]
        let believed = try Self.origin(fields, from: SocketAddress(path: ""), trusted: ["unix"])
        #expect(believed.client == "192.0.2.1")
        #expect(believed.told("X-Forwarded-For") == "192.0.2.1, unknown")
        #expect(believed.told("Forwarded") == "for=192.0.2.1, for=unknown;host=\"h\";proto=http")
        let other = try Self.origin(fields, from: SocketAddress(path: ""), trusted: ["0.0.0.0/0"])
        #expect(other.client == nil)
        #expect(other.told("X-Forwarded-For") == "unknown")
    }
}

extension RequestOrigin {
    /// What the upstream is told in a field.
    fileprivate func told(_ name: String) -> String? {
        var writer = HeadWriter()
        write(to: &writer)
        let lines = String(decoding: writer.bytes, as: UTF8.self).split(separator: "\r\n")
        let line = lines.first { $0.hasPrefix(name + ": ") }
        return line.map { String($0.dropFirst(name.count + 2)) }
    }
}
