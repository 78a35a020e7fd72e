import Multipart
import Testing

/// Content that makes a careless parser look at bytes again and again costs about as much as any.
///
/// The factor is loose, because the machine may be busy; a quadratic parser misses it by far.
@Suite(.serialized) struct CostTests {
    static let boundary = "--------------------b"

    static let contents = [
        "\r", "\n", "\r\n", "-", "\r\n-", "\n--", "\r\n--", "--------------------b", "\r-", "\n\r",
        "\r\n\(String(repeating: "-", count: 21))", "\n\(String(repeating: "-", count: 21))b",
        String(repeating: "-", count: 22) + "\r\n",
    ]

    @Test(arguments: contents)
    func hostileContentIsLinear(_ piece: String) throws {
        let plain = try cost(of: "plain content ")
        let hostile = try cost(of: piece)
        #expect(hostile < plain * 50 + .milliseconds(100))
    }

    @Test(arguments: ["", "--b0Und--"])
    func preambleAndEpilogueAreSkipped(_ head: String) throws {
        var parser = MultipartParser(boundary: try MultipartBoundary("b0Und"))
        var sink = Recorder()
        let flood = Array(repeating: UInt8(ascii: "p"), count: 1 << 16)
        try parser.consume(Array(head.utf8).span, into: &sink)
        for _ in 0..<256 { try parser.consume(flood.span, into: &sink) }
        #expect(sink.events.count == 1)
        #expect(parser.offset == head.utf8.count + 256 << 16)
    }

    private func cost(of piece: String) throws -> Duration {
        let count = 1 << 18
        let unit = Array(piece.utf8)
        let content = (0..<count).map { unit[$0 % unit.count] }
        var parser = MultipartParser(boundary: try MultipartBoundary(Self.boundary))
        var sink = Counter()
        try parser.consume(Array("--\(Self.boundary)\r\n\(field)x".utf8).span, into: &sink)
        let start = ContinuousClock.now
        var index = 0
        while index < count {
            let end = min(index + 1_000, count)
            try parser.consume(content.span.extracting(index..<end), into: &sink)
            index = end
        }
        let duration = ContinuousClock.now - start
        #expect(sink.count == parser.settledOffset - sink.start)
        return duration
    }
}

private struct Counter: MultipartSink {
    var start = 0
    var count = 0
    var isStopped: Bool { false }

    mutating func partBegins(_ head: PartHead) { start = head.contentOffset }
    mutating func content(_ bytes: Span<UInt8>) { count += bytes.count }
    mutating func partEnds(at offset: Int) {}
    mutating func found(_ reason: MultipartReason, at offset: Int) {}
}
