import Testing
import Transport

@Suite struct SocketAddressTests {
    /// What is written, and how it is shown (RFC 5952).
    static let rows = [
        ("192.0.2.1", "192.0.2.1"),
        ("0.0.0.0", "0.0.0.0"),
        ("255.255.255.255", "255.255.255.255"),
        ("::", "::"),
        ("::1", "::1"),
        ("1::", "1::"),
        ("2001:DB8::1", "2001:db8::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
        ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::192.0.2.1", "::c000:201"),
    ]

    @Test(arguments: rows)
    func showsItself(_ text: String, _ expected: String) throws {
        let address = try #require(SocketAddress(ip: text, port: 80))
        #expect(address.ip == expected)
        #expect(address.port == 80)
        #expect(address.path == nil)
        #expect(address.isInternet)
        let shown = address.isV6 ? "[\(expected)]:80" : "\(expected):80"
        #expect(address.description == shown)
    }

    @Test(arguments: ["", "1.2.3", "1.2.3.4.5", "01.2.3.4", "::1%lo", "g::", "localhost"])
    func refuses(_ text: String) {
        #expect(SocketAddress(ip: text, port: 80) == nil)
    }

    @Test func aNetworkIsWhatOneSiteHas() throws {
        for (text, network) in [
            ("192.0.2.1", "192.0.2.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
        ] {
            let address = try #require(SocketAddress(ip: text, port: 80))
            #expect(address.network == SocketAddress(ip: network, port: 0))
        }
        #expect(SocketAddress(path: "/a").network == nil)
    }

    @Test func knowsLoopback() {
        let answers = ["127.0.0.1", "127.255.0.9", "::1", "128.0.0.1", "::2", "10.0.0.1"]
            .map { SocketAddress(ip: $0, port: 0)?.isLoopback }
        #expect(answers == [true, true, true, false, false, false])
    }

    @Test func aMappedClientIsTheSameClient() {
        #expect(
            SocketAddress(ip: "::ffff:10.1.2.3", port: 5) == SocketAddress(ip: "10.1.2.3", port: 5)
        )
    }

    @Test func aSocketPathIsNoInternetAddress() {
        let address = SocketAddress(path: "/run/x.sock")
        #expect(address.path == "/run/x.sock")
        #expect(address.ip == nil)
        #expect(address.port == nil)
        #expect(!address.isInternet)
        #expect(address.description == "unix:/run/x.sock")
    }
}
