import Testing
import Transport

@Suite struct AddressTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        var host: String?
        var port: UInt16?
        var path: String?
        var isLoopback = false

        var testDescription: String { text }
    }

    static let rows = [
        Row(text: "127.0.0.1:8080", host: "127.0.0.1", port: 8080, isLoopback: true),
        Row(text: "127.9.9.9:1", host: "127.9.9.9", port: 1, isLoopback: true),
        Row(text: "0.0.0.0:0", host: "0.0.0.0", port: 0),
        Row(text: "localhost:65535", host: "localhost", port: 65535, isLoopback: true),
        Row(text: "a-b_c.example:80", host: "a-b_c.example", port: 80),
        Row(text: "3com.example:80", host: "3com.example", port: 80),
        Row(text: "[::1]:80", host: "::1", port: 80, isLoopback: true),
        Row(text: "[::]:80", host: "::", port: 80),
        Row(text: "[2001:db8::1]:443", host: "2001:db8::1", port: 443),
        Row(text: "unix:/run/weir.sock", path: "/run/weir.sock", isLoopback: true),
        Row(text: "unix:relative:1", path: "relative:1", isLoopback: true),
    ]

    @Test(arguments: rows)
    func reads(_ row: Row) throws {
        let address = try Address(row.text)
        #expect(address.host == row.host)
        #expect(address.port == row.port)
        #expect(address.path == row.path)
        #expect(address.isLoopback == row.isLoopback)
        #expect(address.description == row.text)
    }

    private static let longName = String(repeating: "a", count: 254)

    static let faults: [(String, AddressError)] = [
        ("", .portMissing),
        ("localhost", .portMissing),
        ("localhost:", .portMissing),
        ("[::1]", .portMissing),
        ("[::1]80", .portMissing),
        (":80", .hostMissing),
        ("h:+80", .portInvalid("+80")),
        ("h:-1", .portInvalid("-1")),
        ("h: 80", .portInvalid(" 80")),
        ("h:65536", .portInvalid("65536")),
        ("h:000080", .portInvalid("000080")),
        ("h:http", .portInvalid("http")),
        ("h:٣", .portInvalid("٣")),
        ("::1:80", .bracketsNeeded),
        ("[::1:80", .bracketMissing),
        ("[127.0.0.1]:80", .hostInvalid("127.0.0.1")),
        ("[]:80", .hostInvalid("")),
        ("[fe80::1%eth0]:80", .hostInvalid("fe80::1%eth0")),
        ("a b:80", .hostInvalid("a b")),
        ("http://h:80", .bracketsNeeded),
        ("é:80", .hostInvalid("é")),
        ("1.2.3:80", .hostInvalid("1.2.3")),
        ("256.1.1.1:80", .hostInvalid("256.1.1.1")),
        ("\(longName):80", .hostInvalid(longName)),
        ("unix:", .pathMissing),
        ("unix:/a\0b", .pathInvalid),
        ("unix:/\(String(repeating: "p", count: 103))", .pathTooLong),
    ]

    @Test(arguments: faults)
    func refuses(_ text: String, _ expected: AddressError) {
        #expect(throws: expected) { try Address(text) }
        #expect(expected.description.hasSuffix("."))
    }

    @Test func everyErrorHasARow() {
        #expect(Set(Self.faults.map { Self.name(of: $0.1) }).count == 9)
    }

    private static func name(of error: AddressError) -> String {
        switch error {
        case .hostMissing: "hostMissing"
        case .hostInvalid: "hostInvalid"
        case .bracketMissing: "bracketMissing"
        case .bracketsNeeded: "bracketsNeeded"
        case .portMissing: "portMissing"
        case .portInvalid: "portInvalid"
        case .pathMissing: "pathMissing"
        case .pathTooLong: "pathTooLong"
        case .pathInvalid: "pathInvalid"
        }
    }

    @Test func theLongestPathStillFits() throws {
        let path = "/" + String(repeating: "p", count: Address.maximumPathBytes - 1)
        #expect(try Address("unix:\(path)").path == path)
    }
}
