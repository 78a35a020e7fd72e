import Glibc
import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct StreamTests {
    @Test(arguments: Wiring.allCases)
    func bytesGoThereAndBack(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        let sent = Array("hello, over there".utf8)
        #expect(await client.send(sent) == nil)
        #expect(await server.receive(total: sent.count) == sent)
        #expect(await server.send(sent.reversed()) == nil)
        #expect(await client.receive(total: sent.count) == sent.reversed())
        #expect(await client.on { $0.stream.bytesWritten } == UInt64(sent.count))
        #expect(await client.on { $0.stream.bytesRead } == UInt64(sent.count))

        // One half ends, the other still works.
        await client.on {
            $0.stream.shutdownWrite()
            $0.stream.shutdownWrite()
        }
        #expect(await server.receive() == sent)
        #expect(await server.on { $0.ending } == .end)
        await server.send([1, 2, 3])
        #expect(await client.receive(total: sent.count + 3).suffix(3) == [1, 2, 3])
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func bothEndsKnowTheirAddresses(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        #expect(connection.client.stream.peer == connection.listener.address)
        let local = await connection.client.on { $0.stream.local }
        #expect(connection.server.stream.peer == local)
        #expect(await connection.server.on { $0.stream.local } == connection.listener.address)
        await connection.end()
        #expect(await connection.client.on { $0.stream.local } == nil)
    }

    @Test(arguments: Wiring.allCases)
    func aSlowReaderHoldsTheWriterBack(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        var random = SplitMix64(seed: 8)
        let total = 8 << 20
        var sent: [UInt8] = []
        sent.reserveCapacity(total)
        while sent.count < total {
            let word = random.next()
            for shift in stride(from: 0, to: 64, by: 8) {
                sent.append(UInt8(truncatingIfNeeded: word >> shift))
            }
        }
        // A prefix, a run and a suffix, each larger than what a socket takes at once.
        let buffer = try ByteBuffer(capacity: 4 << 20)
        let run = Array(sent[2 << 20..<6 << 20])
        buffer.withMutableBytes(0..<run.count) { span in
            for index in span.indices { span[index] = run[index] }
        }
        let pieces = Handed(
            value: Pieces(
                prefix: Array(sent[..<(2 << 20)]),
                run: 0..<run.count,
                of: buffer,
                suffix: Array(sent[(6 << 20)...])
            )
        )
        async let writing = client.send(pieces.value)
        // Nothing is read until the writer has been told to wait.
        while await client.on({ $0.blockedWrites }) == 0 { await Task.yield() }
        var seen = 0
        while seen < total {
            seen = await server.receive(total: min(seen + 1_000_000, total)).count
        }
        #expect(await writing == nil)
        #expect(await server.on { $0.received } == sent)
        #expect(await client.on { $0.wakes.writable } > 0)
        await connection.end()
    }

    /// The peer answers in two pieces and closes, after our side has been shut.
    ///
    /// The last event then carries bytes, an end and a hang-up all at once.
    @Test(arguments: Wiring.allCases)
    func bytesBeforeAHangUpAreAllRead(_ wiring: Wiring) async throws {
        for round in 0..<50 {
            let connection = try await Connection(wiring)
            let (client, server) = (connection.client, connection.server)
            await client.on { $0.stream.shutdownWrite() }
            async let answer = client.receive()
            await server.receive()
            await server.send(Array("hello".utf8))
            // Sometimes the first piece is taken alone, sometimes both lie there together.
            if round.isMultiple(of: 2) { await client.lane.settle() }
            await server.on { peer in
                #expect(peer.stream.write(Pieces(prefix: Array(" world".utf8))) == .bytes(6))
                peer.stream.close()
            }
            #expect(await String(decoding: answer, as: UTF8.self) == "hello world")
            #expect(await client.on { $0.ending } == .end)
            await connection.end()
        }
    }

    /// As above, but the reader stops after five bytes, for back-pressure, and goes on later.
    @Test(arguments: Wiring.allCases)
    func aPauseBeforeAHangUpLosesNothing(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        await client.on { $0.stream.shutdownWrite() }
        async let start = client.receive(total: 5)
        await server.receive()
        await server.send(Array("hello world".utf8))
        await server.on { $0.stream.close() }
        #expect(await start == Array("hello".utf8))
        await server.lane.settle()
        await client.lane.settle()
        // Awaiting without having met EAGAIN must wake, although the hang-up is over.
        let woken = Arrivals<Void>()
        let watcher = WakeCounter(onReadable: { woken.add(()) })
        await client.on { peer in
            peer.stream.delegate = watcher
            peer.stream.awaitReadable()
        }
        try await woken.next()
        await client.on { $0.stream.delegate = $0 }
        #expect(await client.receive() == Array("hello world".utf8))
        #expect(await client.on { $0.ending } == .end)
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func aResetIsSeenAsOne(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        await client.send([1, 2, 3])
        await server.receive(total: 3)
        async let rest = server.receive()
        await client.on {
            $0.stream.reset()
            $0.stream.reset()
            $0.stream.close()
        }
        await _ = rest
        // A Unix socket knows no reset, only an end.
        let expected: Peer.Ending =
            wiring == .unix ? .end : .failed(TransportError(.read, code: ECONNRESET))
        #expect(await server.on { $0.ending } == expected)
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func writingToNobodyFails(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        await connection.server.on { $0.stream.reset() }
        // The reset comes when it comes; until then, the kernel takes what fits.
        var error: TransportError?
        while error == nil {
            error = await connection.client.send([UInt8](repeating: 0, count: 1 << 20))
        }
        #expect(error?.isReset == true)
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func peekingTakesNothing(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        #expect(await client.on { $0.stream.peekState() } == .quiet)
        await server.send([7])
        try await waitForReadable(client)
        #expect(await client.on { $0.stream.peekState() } == .readable)
        #expect(await client.receive(total: 1) == [7])
        #expect(await client.on { $0.stream.peekState() } == .quiet)
        await server.on { $0.stream.close() }
        try await waitForReadable(client)
        #expect(await client.on { $0.stream.peekState() } == .end)
        await client.on { $0.stream.close() }
        let closed = TransportError(.read, code: EBADF)
        #expect(await client.on { $0.stream.peekState() } == .failed(closed))
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func aClosedStreamAnswersEverything(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let buffer = Handed(value: try ByteBuffer(capacity: 16))
        await connection.client.on { peer in
            let stream = peer.stream
            #expect(stream.read(into: buffer.value, 3..<3) == .bytes(0))
            #expect(stream.write(Pieces()) == .bytes(0))
            stream.close()
            #expect(!stream.isOpen)
            #expect(
                stream.read(into: buffer.value, 0..<16)
                    == .failed(TransportError(.read, code: EBADF))
            )
            #expect(
                stream.write(Pieces(prefix: [1])) == .failed(TransportError(.write, code: EBADF))
            )
            stream.awaitReadable()
            stream.awaitWritable()
            stream.stopAwaitingReadable()
            stream.shutdownWrite()
            stream.close()
            stream.reset()
        }
        await connection.client.lane.settle()
        #expect(await connection.client.on { $0.wakes == (0, 0) })
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func oneAwaitBringsOneWake(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        let readable = Arrivals<Void>()
        let writable = Arrivals<Void>()
        let counter = WakeCounter(
            onReadable: { readable.add(()) },
            onWritable: { writable.add(()) }
        )
        // Writing is awaited first: a mechanism may then mistake one for the other.
        await client.on { peer in
            peer.stream.delegate = counter
            peer.stream.awaitWritable()
            peer.stream.awaitWritable()
            peer.stream.awaitReadable()
            peer.stream.awaitReadable()
        }
        try await writable.next()
        await server.send([1])
        try await readable.next()
        // More arrives while nobody waits.
        await server.send([2])
        await client.lane.settle()
        #expect(readable.count == 0)
        #expect(writable.count == 0)
        // Nothing was read, so the next await is answered at once.
        await client.on { $0.stream.awaitReadable() }
        try await readable.next()
        // What is no longer awaited does not come.
        await client.on { peer in
            peer.stream.awaitReadable()
            peer.stream.awaitWritable()
            peer.stream.stopAwaitingReadable()
            peer.stream.stopAwaitingWritable()
        }
        await client.lane.settle()
        #expect(readable.count == 0)
        #expect(writable.count == 0)
        await client.on { $0.stream.delegate = $0 }
        #expect(await client.receive(total: 2) == [1, 2])
        await connection.end()
    }

    /// Reading and writing at once, both sides blocked now and then.
    @Test(arguments: Wiring.allCases)
    func bothDirectionsAtOnce(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        let up = [UInt8](repeating: 1, count: 3 << 20)
        let down = [UInt8](repeating: 2, count: 3 << 20)
        async let sentUp = client.send(up)
        async let sentDown = server.send(down)
        async let receivedUp = server.receive(total: up.count)
        async let receivedDown = client.receive(total: down.count)
        #expect(await receivedUp == up)
        #expect(await receivedDown == down)
        #expect(await sentUp == nil)
        #expect(await sentDown == nil)
        await connection.end()
    }

    @Test(arguments: Wiring.allCases)
    func closingInsideACallbackIsFine(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let (client, server) = (connection.client, connection.server)
        let woken = Arrivals<Void>()
        let closer = WakeCounter(onReadable: { woken.add(()) }, closes: true)
        await client.on { peer in
            peer.stream.delegate = closer
            peer.stream.awaitWritable()
            peer.stream.awaitReadable()
        }
        await server.send([1])
        try await woken.next()
        await client.lane.settle()
        #expect(await client.on { !$0.stream.isOpen })
        await connection.end()
    }

    private func waitForReadable(_ peer: Peer) async throws {
        let woken = Arrivals<Void>()
        let watcher = WakeCounter(onReadable: { woken.add(()) })
        await peer.on { peer in
            peer.stream.delegate = watcher
            _ = peer.stream.peekState()
            peer.stream.awaitReadable()
        }
        try await woken.next()
        await peer.on { $0.stream.delegate = $0 }
    }
}

/// Counts wakes and does nothing about them, but perhaps close.
final class WakeCounter: StreamDelegate, Sendable {
    private let onReadable: @Sendable () -> Void
    private let onWritable: @Sendable () -> Void
    private let closes: Bool

    init(
        onReadable: @escaping @Sendable () -> Void = {},
        onWritable: @escaping @Sendable () -> Void = {},
        closes: Bool = false
    ) {
        self.onReadable = onReadable
        self.onWritable = onWritable
        self.closes = closes
    }

    func streamIsReadable(_ stream: Stream) {
        if closes { stream.close() }
        onReadable()
    }

    func streamIsWritable(_ stream: Stream) {
        onWritable()
    }

    #if os(Linux)
    /// Nobody reads or writes there, and it is told all the same.
    @Test(arguments: Wiring.allCases)
    func aHangUpIsToldUnasked(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        await connection.client.send([1, 2, 3])
        await connection.client.on { $0.stream.shutdownWrite() }
        #expect(try await connection.server.hangUps.next() == false)
        #expect(await connection.server.on { $0.stream.hasPeerFinished })
        // The end lies behind what was sent, and is not counted.
        #expect(await connection.server.on { $0.stream.unreadBytes } == 3)
        #expect(await connection.client.on { $0.stream.hasPeerFinished } == false)
        if wiring != .unix {
            await connection.client.on { $0.stream.reset() }
            while try await connection.server.hangUps.next() == false {}
            #expect(await connection.server.on { $0.stream.isBroken })
        }
        await connection.end()
        #expect(await connection.server.on { $0.stream.unreadBytes } == 0)
    }
    #endif
}
