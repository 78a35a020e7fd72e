import HTTP1
import Testing
import Wire

/// The grammar of Host; an offence is counted from the start of the value.
@Suite struct HostTests {
    private func offence(_ host: String) -> Int? {
        let prefix = "GET / HTTP/1.1\r\nHost:"
        let input = Array("\(prefix)\(host)\r\n\r\n".utf8)
        let fault = RequestOutcome(parsing: [input[...]]).fault
        #expect(fault == nil || fault?.reason == .hostInvalid)
        return fault.map { $0.offset - prefix.utf8.count }
    }

    @Test(arguments: [
        "a", "a.example", "A-b_c~d.0", "a:0", "a:80", "a:65535", "a:00080", "127.0.0.1:8080", "a.",
        "a.b.:80",
        "[::]", "[::1]", "[1::]", "[::1]:80", "[1:2:3:4:5:6:7:8]", "[1::8]", "[::2:3:4:5:6:7:8]",
        "[1:2:3:4:5:6:7::]", "[fe80::ABCD]", "[::ffff:1.2.3.4]", "[1:2:3:4:5:6:255.0.10.1]",
        "[::1.2.3.4]",
    ])
    func valid(_ host: String) {
        #expect(offence(host) == nil)
    }

    @Test(arguments: [
        ("", 0), (":80", 0), ("a:", 2), ("a:x", 2), ("a:-1", 2), ("a:65536", 6), ("a:999999", 6),
        ("a:000080", 7), ("a:1:2", 3), ("a b", 1), ("a\tb", 1), ("a/x", 1), ("u@a", 1), ("a,b", 1),
        ("a?x", 1), ("a#x", 1), (".", 0), (".a", 0), ("a..b", 2), ("a..", 2), ("<a>", 0),
        ("a\\b", 1), ("\"a\"", 0), ("a%41", 1), ("a;b", 1),
        ("é", 0), ("[::1", 4), ("[]", 1), ("[::1]x", 5), ("[::1]:", 6), ("[:]", 1), ("[:1]", 1),
        ("[1]", 2), ("[1:]", 3), ("[1:2:3:4:5:6:7]", 14), ("[1:2:3:4:5:6:7:8:9]", 16),
        ("[1::2::3]", 6), ("[:::]", 3), ("[12345::]", 5), ("[g::]", 1), ("[::1%25eth0]", 4),
        ("[1:2:3:4:5:6:7:8::]", 16), ("[::2:3:4:5:6:7:8:9]", 18), ("[::1.2.3]", 8),
        ("[::1.2.3.256]", 12), ("[::1.2.3.04]", 9), ("[::1.2.3.4.5]", 10), ("[::1..3.4]", 5),
        ("[::1234.2.3.4]", 6), ("[1.2.3.4]", 8), ("[v1.x]", 1),
    ])
    func invalid(_ host: String, _ expected: Int) {
        #expect(offence(host) == expected)
    }
}
