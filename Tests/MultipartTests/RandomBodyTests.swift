import Multipart
import TestSupport
import Testing
import Wire

/// Bodies made of pieces that nearly fit, read by the parser and by the naive one.
@Suite struct RandomBodyTests {
    static let boundaries = ["b", "-", "--", "aabaa", "b0Und", "a b"]

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func incrementalEqualsNaive(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<4_000 {
            let boundary = Self.boundaries[Int.random(in: Self.boundaries.indices, using: &random)]
            let body = randomBody(boundary, &random)
            let expected = NaiveParser(body, boundary: boundary).events
            let whole = try events(of: [body[...]], boundary: boundary)
            #expect(
                whole.compactMap(\.framing) == expected,
                "\(String(reflecting: String(decoding: body, as: UTF8.self))) \(boundary)"
            )
            for pieces in [randomCut(body, &random), body.indices.map { body[$0...$0] }] {
                #expect(try events(of: pieces, boundary: boundary) == whole)
                let ahead = try events(of: pieces, boundary: boundary, looksAhead: true)
                #expect(ahead == whole)
            }
        }
    }

    /// Settled bytes depend on what was read, not on how; they never shrink; and nothing that is
    /// settled is part of a construct the naive parser has not decided.
    @Test(arguments: [7, 8] as [UInt64])
    func settledOffsetIsThatOfThePrefix(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<400 {
            let boundary = Self.boundaries[Int.random(in: Self.boundaries.indices, using: &random)]
            let body = randomBody(boundary, &random)
            let single = try settled(body.indices.map { body[$0...$0] }, boundary)
            var last = 0
            for (offset, settled) in single.sorted(by: { $0.key < $1.key }) {
                #expect(settled >= last && settled <= offset)
                last = settled
                let naive = NaiveParser(Array(body[..<offset]), boundary: boundary)
                #expect(settled == naive.settled, "\(body) \(boundary) \(offset)")
            }
            for pieces in [[body[...]], randomCut(body, &random)] {
                for (offset, settled) in try self.settled(pieces, boundary) {
                    #expect(single[offset] == settled)
                }
            }
        }
    }

    /// What has reached the sink as content is exactly the settled content.
    @Test(arguments: [9] as [UInt64])
    func settledContentHasReachedTheSink(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<400 {
            let body = Array((open + "x").utf8) + randomBody("b0Und", &random)
            var parser = MultipartParser(boundary: try MultipartBoundary("b0Und"))
            var sink = Recorder()
            for piece in randomCut(body, &random) {
                guard (try? parser.consume(piece.span, into: &sink)) != nil else { break }
                guard parser.openPart != nil else { continue }
                var start = 0
                var content: [UInt8] = []
                for event in sink.events {
                    if case .part(let part) = event { (start, content) = (part.contentOffset, []) }
                    if case .content(let bytes) = event { content = bytes }
                }
                let settled = max(parser.settledOffset, start)
                #expect(content == Array(body[start..<settled]))
            }
        }
    }

    @Test func theEndSettlesEverything() throws {
        let body = Array((open + "x" + close).utf8)
        var parser = MultipartParser(boundary: try MultipartBoundary("b0Und"))
        var sink = Recorder()
        try parser.consume(body.span, into: &sink)
        #expect(parser.settledOffset == body.count - 13)
        #expect(parser.isInEpilogue && parser.openPart == nil && parser.currentPart == nil)
        try parser.finish(into: &sink)
        #expect(parser.settledOffset == body.count && parser.partCount == 1)
        // More bytes, or another end, change nothing that was accepted.
        try parser.finish(into: &sink)
        #expect(sink.events.last == .end(body.count - 13))
    }

    /// `settledOffset` by `offset`, after each piece up to a fault.
    private func settled(_ pieces: [ArraySlice<UInt8>], _ boundary: String) throws -> [Int: Int] {
        var parser = MultipartParser(boundary: try MultipartBoundary(boundary))
        var sink = Recorder()
        var result = [0: 0]
        for piece in pieces {
            guard (try? parser.consume(piece.span, into: &sink)) != nil else { break }
            result[parser.offset] = parser.settledOffset
        }
        return result
    }

    private func randomCut(_ body: [UInt8], _ random: inout SplitMix64) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = body[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...20, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    /// Pieces of a body in any order, or a good body with a few bytes changed.
    private func randomBody(_ boundary: String, _ random: inout SplitMix64) -> [UInt8] {
        let dashes = "--\(boundary)"
        let pieces = [
            "\r", "\n", "\r\n", "\r\n", "-", "--", boundary, String(boundary.dropLast()), dashes,
            " ",
            "\r\n\(dashes)", "\r\n\(dashes)\r\n", "\n\(dashes)", "\r\(dashes)\r\n",
            "\r\n\(dashes)--",
            "x", "A: b\r\n", "\r\n\r\n", ":", "\t", "\0",
        ]
        if Bool.random(using: &random) {
            let text = (0..<Int.random(in: 0...16, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }
            return Array((Bool.random(using: &random) ? dashes + "\r\n" : "").utf8)
                + Array(text.joined().utf8)
        }
        let part = "\(dashes)\r\n\(disposition)\r\n"
        var body = Array("\(part)1\r\n-2\r\n\(part)\r\n\r\n\(dashes)--\r\n".utf8)
        let alphabet = Array("\r\n- b:\t".utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: body.indices, using: &random)
            switch Int.random(in: 0...2, using: &random) {
            case 0: body.remove(at: index)
            case 1: body[index] = alphabet[Int.random(in: alphabet.indices, using: &random)]
            default:
                body.insert(alphabet[Int.random(in: alphabet.indices, using: &random)], at: index)
            }
        }
        return body
    }
}
