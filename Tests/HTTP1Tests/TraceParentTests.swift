import HTTP1
import Testing

/// Names that a request brings along.
@Suite struct TraceParentTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parent = "00f067aa0ba902b7"

    private static func fields(_ name: String, _ values: [String]) throws -> FieldSection {
        let lines = values.map { "\(name): \($0)\r\n" }.joined()
        let text = "GET / HTTP/1.0\r\n\(lines)\r\n"
        return try #require(RequestOutcome(parsing: [Array(text.utf8)[...]]).head).fields
    }

    @Test(arguments: [
        "00-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-00", "00-\(trace)-\(parent)-ff",
        "01-\(trace)-\(parent)-01", "cc-\(trace)-\(parent)-01-what.ever",
        "fe-\(trace)-\(parent)-01-",
    ])
    func valid(_ text: String) throws {
        let read = try #require(TraceParent(Self.fields("TraceParent", [text])))
        #expect(read.text == text)
        #expect(read.traceID == Self.trace)
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(parent)-0", "00-\(trace)-\(parent)-011",
        "00-\(trace)-\(parent)-01-x", "cc-\(trace)-\(parent)-01x", "ff-\(trace)-\(parent)-01",
        "0-\(trace)-\(parent)-001", "00-\(trace)-\(parent)-0G", "00_\(trace)-\(parent)-01",
        "00-\(trace)_\(parent)-01", "00-\(trace)-\(parent)_01",
        "00-\(trace.uppercased())-\(parent)-01",
        "00-00000000000000000000000000000000-\(parent)-01", "00-\(trace)-0000000000000000-01",
        "0F-\(trace)-\(parent)-01", "00-\(trace)-\(parent)-01,00-\(trace)-\(parent)-01",
    ])
    func invalid(_ text: String) throws {
        #expect(try TraceParent(Self.fields("traceparent", [text])) == nil)
    }

    @Test func twoAreNone() throws {
        let text = "00-\(Self.trace)-\(Self.parent)-01"
        #expect(try TraceParent(Self.fields("traceparent", [text, text])) == nil)
    }

    @Test(
        arguments: [
            (0, 0, "00-00000000000000000000000000000001-0000000000000001-01"),
            (0xAB, UInt64.max, "00-000000000000000000000000000000ab-ffffffffffffffff-01"),
        ] as [(UInt128, UInt64, String)]
    )
    func made(trace: UInt128, parent: UInt64, text: String) throws {
        let made = TraceParent(traceBits: trace, parentBits: parent)
        #expect(made.text == text)
        #expect(try TraceParent(Self.fields("traceparent", [text])) == made)
    }

    @Test(arguments: [
        ("a", true), ("0b54d0a4-7d4e-4f3c-9a5e-0a4a8c1b2d3e", true), ("Az09-._~+/=:@", true),
        (String(repeating: "x", count: 128), true), (String(repeating: "x", count: 129), false),
        ("", false), ("a b", false), ("a\"", false), ("a<", false), ("a%", false), ("a;", false),
        ("\u{E9}", false), ("a,b", false), ("$a", false), ("{}", false), ("a\\", false),
    ])
    func requestIDs(_ id: String, isSane: Bool) throws {
        #expect(try Self.fields("X-Request-Id", [id]).requestID == (isSane ? id : nil))
        #expect(try Self.fields("X-Request-Id", [id, id]).requestID == nil)
    }
}
