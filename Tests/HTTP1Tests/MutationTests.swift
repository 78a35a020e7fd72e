import HTTP1
import TestSupport
import Testing
import Wire

/// Messages with random damage: nothing traps, cuts never matter, and the twin agrees.
@Suite struct MutationTests {
    /// Bytes that framing is made of, more likely to find a hole than random ones.
    private static let sharp = Array(
        "\r\n\r\n\r\n :;,=\"\\0123456789aAfFxX\t\0\u{B}\u{7F}-+_#*/@[]".utf8
    )

    private static func mutate(
        _ seed: [UInt8],
        using random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = seed
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            let byte =
                Bool.random(using: &random)
                ? UInt8.random(in: .min ... .max, using: &random)
                : sharp.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(byte, at: index)
            case 1: if index < bytes.count { bytes[index] = byte }
            case 2: if index < bytes.count { bytes.remove(at: index) }
            case 3:
                let end = min(bytes.count, index + Int.random(in: 0...24, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            default: bytes.removeSubrange(Int.random(in: 0...index, using: &random)..<index)
            }
        }
        return bytes
    }

    private static func randomCut(
        of bytes: [UInt8],
        using random: inout SplitMix64
    ) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }

    private static let requests = [
        "POST /upload?a=b HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: 10\r\n\r\n",
        "\r\nPUT http://[::1]:8/x HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n5",
        "GET / HTTP/1.0\r\nConnection: keep-alive, x\r\nX: \t\u{E9} \r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: c\r\nExpect: 100-continue\r\nUpgrade: w\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhello",
        "HTTP/1.0 404\r\nServer: x\r\n\r\n",
        "HTTP/1.1 101 Switch\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        "HTTP/1.1 204 \r\nTransfer-Encoding: chunked\r\n\r\n",
    ].map { Array($0.utf8) }

    private static let bodies = [
        "5\r\nhello\r\n0\r\n\r\n",
        "3;a=b;c=\"d \\\" e\"\r\nabc\r\nA ; x\r\n0123456789\r\n0\r\nX: y\r\nHost: z\r\n\r\nGET",
        "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n000\r\n\r\n",
        "ffffffffffffff\r\nabc",
    ].map { Array($0.utf8) }

    @Test(arguments: [1, 2] as [UInt64])
    func requestHeads(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        for round in 0..<11_000 {
            let input = Self.mutate(Self.requests[round % Self.requests.count], using: &random)
            let whole = RequestOutcome(parsing: [input[...]])
            let cut = RequestOutcome(parsing: Self.randomCut(of: input, using: &random))
            guard whole == cut else {
                Issue.record("seed \(seed), round \(round): \(input)")
                return
            }
            var parser = RequestHeadParser(limits: HeadLimits())
            let consumed = try? parser.consume(input[...])
            let measured = parser.isComplete ? consumed : nil
            guard measured == naivelyMeasureRequestHead(input) else {
                Issue.record("seed \(seed), round \(round), twin differs: \(input)")
                return
            }
            if let fault = whole.fault, !(0...input.count).contains(fault.offset) {
                Issue.record("seed \(seed), round \(round), offset \(fault.offset): \(input)")
            }
            if whole.head != nil { accepted += 1 }
        }
        #expect(accepted > 1000)
    }

    @Test(arguments: [3, 4] as [UInt64])
    func responseHeads(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        for round in 0..<6000 {
            let input = Self.mutate(Self.responses[round % Self.responses.count], using: &random)
            let whole = ResponseOutcome(parsing: [input[...]])
            let cut = ResponseOutcome(parsing: Self.randomCut(of: input, using: &random))
            guard whole == cut else {
                Issue.record("seed \(seed), round \(round): \(input)")
                return
            }
            if whole.head != nil { accepted += 1 }
        }
        #expect(accepted > 1000)
    }

    @Test(arguments: [5, 6] as [UInt64])
    func chunkedBodies(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var accepted = 0
        for round in 0..<11_000 {
            let input = Self.mutate(Self.bodies[round % Self.bodies.count], using: &random)
            let whole = BodyOutcome(decoding: [input[...]])
            let cut = BodyOutcome(decoding: Self.randomCut(of: input, using: &random))
            guard whole == cut else {
                Issue.record("seed \(seed), round \(round): \(input)")
                return
            }
            let naive = naivelyDecodeChunked(input)
            guard naive?.rest == whole.rest, naive == nil || naive?.body == whole.body else {
                Issue.record("seed \(seed), round \(round), twin differs: \(input)")
                return
            }
            if whole.rest != nil { accepted += 1 }
        }
        #expect(accepted > 1000)
    }

    @Test(arguments: [7, 8, 9] as [UInt64])
    func decodingUndoesEncoding(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let body = (0..<Int.random(in: 0...300, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
            var encoded: [UInt8] = []
            var rest = body[...]
            while !rest.isEmpty {
                let chunk = rest.prefix(Int.random(in: 1...64, using: &random))
                rest = rest.dropFirst(chunk.count)
                ChunkWriter.appendHeader(size: chunk.count, to: &encoded)
                encoded += chunk + ChunkWriter.end
            }
            encoded += ChunkWriter.last
            let pieces = Self.randomCut(of: encoded, using: &random)
            #expect(BodyOutcome(decoding: pieces) == BodyOutcome(body: body, rest: 0))
        }
    }
}
