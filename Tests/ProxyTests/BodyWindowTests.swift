import HTTP1
import TestSupport
import Testing
import Transport
import Wire

@testable import Proxy

/// The window over a small buffer, with reads, decoding, passing and compacting in any order.
@Suite struct BodyWindowTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func whatPassesIsTheDecodedBody(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<30 {
            let body = randomBytes(Int.random(in: 0...3000, using: &random), using: &random)
            let largest = Int.random(in: 1...400, using: &random)
            let encoded = chunked(body, largest: largest, using: &random)
            var run = try WindowRun(
                input: Array("head".utf8) + encoded + Array("NEXT".utf8),
                capacity: Int.random(in: 64...1024, using: &random)
            )
            // A head parser reads the first bytes of the window.
            run.read(atMost: 4)
            run.window.skipRaw(run.window.raw.count)
            if run.readSoFar < 4 {
                run.read(atMost: 4 - run.readSoFar)
                run.window.skipRaw(run.window.raw.count)
            }
            while !run.isOver {
                switch Int.random(in: 0..<5, using: &random) {
                case 0, 1: run.read(atMost: Int.random(in: 1...300, using: &random))
                case 2: try run.decode()
                case 3: run.pass(atMost: Int.random(in: 1...200, using: &random))
                default: run.compact()
                }
                try #require(run.isSound, "seed \(seed), round \(round)")
            }
            #expect(run.passed == body, "seed \(seed), round \(round)")
            #expect(run.decoded == body, "seed \(seed), round \(round)")
            run.compact()
            run.read(atMost: 4)
            #expect(run.rest == Array("NEXT".utf8), "seed \(seed), round \(round)")
        }
    }

    @Test func afterAFaultWhatWasBeforeItIsDecoded() throws {
        var run = try WindowRun(input: Array("2\r\nab\r\nx".utf8), capacity: 64)
        run.read(atMost: 64)
        #expect(throws: HTTPFault(.chunkSizeInvalid, at: 7)) { try run.decode() }
        #expect(run.decoded == Array("ab".utf8))
        run.pass(atMost: 2)
        #expect(run.passed == Array("ab".utf8))
    }

    @Test func anEmptyWindowBeginsAtTheFront() throws {
        var run = try WindowRun(input: Array("1\r\na\r\n0\r\n\r\n".utf8), capacity: 16)
        run.read(atMost: 16)
        try run.decode()
        run.pass(atMost: 1)
        #expect(run.window.isEmpty)
        #expect(run.window.free(in: run.buffer) == 0..<16)
    }

    /// A head without a body leaves an empty window; the next head needs room as well.
    @Test func aWindowThatWasSkippedToItsEndBeginsAtTheFront() throws {
        var run = try WindowRun(input: Array("GET / HTTP/1.1".utf8), capacity: 16)
        run.read(atMost: 16)
        run.window.skipRaw(run.window.raw.count)
        #expect(run.window.isEmpty)
        #expect(run.window.free(in: run.buffer) == 0..<16)
    }
}

/// A window, its buffer, and everything that went in and came out.
private struct WindowRun {
    let input: [UInt8]
    let buffer: ByteBuffer
    var window = BodyWindow()
    var decoder = BodyDecoder(.chunked)
    var readSoFar = 0
    var decoded: [UInt8] = []
    var passed: [UInt8] = []

    init(input: [UInt8], capacity: Int) throws {
        self.input = input
        buffer = try ByteBuffer(capacity: capacity)
    }

    /// All of the body was decoded and passed.
    var isOver: Bool { decoder.isComplete && window.body.isEmpty }

    var isSound: Bool {
        window.body.upperBound <= window.raw.lowerBound || window.body.isEmpty
            ? window.raw.upperBound <= buffer.capacity : false
    }

    /// What was read and belongs to nobody yet.
    var rest: [UInt8] { bytes(in: window.raw) }

    mutating func read(atMost limit: Int) {
        let free = window.free(in: buffer)
        let count = min(limit, free.count, input.count - readSoFar)
        guard count > 0 else { return }
        buffer.withMutableBytes(free.lowerBound..<free.lowerBound + count) { span in
            for index in 0..<count { span[index] = input[readSoFar + index] }
        }
        readSoFar += count
        window.receive(count)
    }

    mutating func decode() throws {
        let known = window.body.count
        defer { decoded += bytes(in: window.body.dropFirst(known)) }
        try window.decode(in: buffer, with: &decoder)
    }

    mutating func pass(atMost limit: Int) {
        let count = min(limit, window.body.count)
        passed += bytes(in: window.body.prefix(count))
        window.pass(count)
    }

    mutating func compact() { window.compact(in: buffer) }

    private func bytes(in range: Range<Int>) -> [UInt8] {
        buffer.withBytes(range) { span in span.indices.map { span[$0] } }
    }
}
