import Dispatch
import Glibc
import HTTP1
import TestSupport
import Testing
import Transport

@testable import Proxy

/// The outbox over a socket that takes little at a time, while the window it lends from moves.
@Suite struct OutboxTests {
    @Test(arguments: 1...6 as ClosedRange<UInt64>)
    func everythingIsWrittenOnceAndInOrder(seed: UInt64) throws {
        let lane = Lane(label: "outbox")
        var random = SplitMix64(seed: seed)
        var writer = try lane.queue.sync { try OutboxRun(on: lane) }
        for _ in 0..<40 {
            let before = randomBytes(Int.random(in: 0...40, using: &random), using: &random)
            let run = randomBytes(Int.random(in: 0...60_000, using: &random), using: &random)
            let after =
                run.isEmpty || Bool.random(using: &random)
                ? [] : randomBytes(Int.random(in: 0...9, using: &random), using: &random)
            try writer.load(before, run, after)
            // Between two turns the lane hears that the socket takes more.
            while try lane.queue.sync(execute: { try writeOnce(&writer, using: &random) }) {}
        }
        writer.drain(atMost: .max)
        #expect(writer.arrived == writer.given, "seed \(seed)")
        #expect(writer.lent == writer.runs, "seed \(seed)")
        #expect(writer.window.isEmpty)
    }

    /// False once everything is written.
    private func writeOnce(_ writer: inout OutboxRun, using random: inout SplitMix64) throws -> Bool
    {
        guard !writer.outbox.isEmpty else { return false }
        let isBlocked = try writer.write()
        #expect(isBlocked != writer.outbox.isEmpty)
        // What is being lent moves to the front of the buffer, and more comes behind.
        if Bool.random(using: &random) { writer.window.compact(in: writer.buffer) }
        if isBlocked { writer.drain(atMost: Int.random(in: 1...30_000, using: &random)) }
        return true
    }

    @Test func ownBytesGatherUntilTheyAreWritten() throws {
        let lane = Lane(label: "outbox")
        try lane.queue.sync {
            var writer = try OutboxRun(on: lane)
            writer.outbox.append([1, 2])
            writer.outbox.append([3])
            #expect(!writer.outbox.isEmpty)
            var blocked = [try writer.write()]
            writer.outbox.append([4])
            blocked.append(try writer.write())
            #expect(blocked == [false, false])
            writer.drain(atMost: .max)
            #expect(writer.arrived == [1, 2, 3, 4])
        }
    }

    @Test func aPeerThatIsGoneIsAnError() throws {
        let lane = Lane(label: "outbox")
        try lane.queue.sync {
            var writer = try OutboxRun(on: lane)
            writer.hangUp()
            writer.outbox.append([1])
            #expect(throws: TransportError.self) { try writer.write() }
        }
    }
}

/// An outbox with its window and its socket, and the peer that reads what comes out.
private struct OutboxRun {
    let buffer: ByteBuffer
    var window = BodyWindow()
    var outbox = Outbox()

    /// What was given to the outbox, and the runs among it; what it said of runs; what arrived.
    var given: [UInt8] = []
    var runs: [UInt8] = []
    var lent: [UInt8] = []
    var arrived: [UInt8] = []

    /// Everything that is read is content.
    private var decoder = BodyDecoder(.untilClose)
    private let stream: Stream
    private let peer: Int32

    init(on lane: Lane) throws {
        buffer = try ByteBuffer(capacity: 128 << 10)
        var numbers: (Int32, Int32) = (-1, -1)
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let code = unsafe withUnsafeMutablePointer(to: &numbers) { pair in
            // SAFETY: a pair of descriptors has the layout of the array the kernel fills.
            unsafe pair.withMemoryRebound(to: Int32.self, capacity: 2) {
                unsafe socketpair(AF_UNIX, kind, 0, $0)
            }
        }
        try #require(code == 0)
        peer = numbers.1
        var size: Int32 = 4096
        // SAFETY: the option is the Int32 that is passed with its size.
        _ = unsafe setsockopt(numbers.0, SOL_SOCKET, SO_SNDBUF, &size, 4)
        stream = try Stream(
            accepting: Descriptor(owning: numbers.0),
            peer: SocketAddress(path: ""),
            on: lane
        )
    }

    mutating func load(_ before: [UInt8], _ run: [UInt8], _ after: [UInt8]) throws {
        window.compact(in: buffer)
        let free = window.free(in: buffer)
        buffer.withMutableBytes(free.lowerBound..<free.lowerBound + run.count) { span in
            for index in run.indices { span[index] = run[index] }
        }
        window.receive(run.count)
        try window.decode(in: buffer, with: &decoder)
        outbox.append(before)
        outbox.append(run: run.count, then: after)
        given += before + run + after
        runs += run
    }

    /// True if the socket takes no more.
    mutating func write() throws -> Bool {
        let buffer = buffer
        var written: [UInt8] = []
        let progress = outbox.write(to: stream, lending: &window, of: buffer) { range in
            buffer.withBytes(range) { span in
                for index in span.indices { written.append(span[index]) }
            }
        }
        lent += written
        switch progress {
        case .done: return false
        case .blocked: return true
        case .failed(let error): throw error
        }
    }

    mutating func drain(atMost limit: Int) {
        var left = limit
        while left > 0 {
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: min(left, 4096)) {
                // SAFETY: the kernel writes at most the buffer's count of bytes.
                unsafe $1 = max(0, recv(peer, $0.baseAddress, $0.count, 0))
            }
            if chunk.isEmpty { return }
            arrived += chunk
            left -= chunk.count
        }
    }

    func hangUp() { _ = close(peer) }
}
