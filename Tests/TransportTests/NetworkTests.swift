import Testing
import Transport

@Suite struct NetworkTests {
    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("192.0.2.1", "192.0.2.1/32"), ("0.0.0.0/0", "0.0.0.0/0"),
        ("192.0.2.128/25", "192.0.2.128/25"), ("2001:DB8::/32", "2001:db8::/32"),
        ("::1", "::1/128"), ("::/0", "::/0"), ("fe80::/10", "fe80::/10"), ("unix", "unix"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"), ("::ffff:0:0/96", "0.0.0.0/0"),
        ("10.0.0.0/08", "10.0.0.0/8"),
    ])
    func isReadAndWritten(_ text: String, written: String) throws {
        let network = try #require(Network(text))
        #expect(network.description == written)
        #expect(Network(written) == network)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8",
        "10.0.0.0/ 8", "10.0.0.0/0008", "10.0.0.0/x", "10.0.0.1/8", "10.1/16", "010.0.0.0/8",
        "::1/127", "::/129", "[::1]", "::1%lo", "localhost", "unix:/x", "::ffff:10.0.0.0/95",
        "::ffff:10.0.0.1/104", "10.0.0.0:80",
    ])
    func isRefused(_ text: String) {
        #expect(Network(text) == nil)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "9.255.255.255", false), ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.0", false), ("0.0.0.0/0", "255.255.255.255", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "192.0.2.1", false), ("::/0", "2001:db8::1", true),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("2001:db8::/33", "2001:db8:7fff::", true),
        ("2001:db8::/33", "2001:db8:8000::", false), ("::1", "::1", true), ("::1", "::2", false),
        ("unix", "127.0.0.1", false),
    ])
    func contains(_ network: String, address: String, isIn: Bool) throws {
        let network = try #require(Network(network))
        let address = try #require(SocketAddress(ip: address, port: 1))
        #expect(network.contains(address) == isIn)
        #expect([network].contain(address) == isIn)
        #expect(![].contain(address))
    }

    @Test func unixSocketsAreOneNetwork() throws {
        let peer = SocketAddress(path: "")
        #expect(Network.unix.contains(peer))
        for text in ["0.0.0.0/0", "::/0"] {
            #expect(try !#require(Network(text)).contains(peer))
        }
    }
}
