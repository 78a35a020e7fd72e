import Glibc
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct ConnectTests {
    /// Again and again: the refusal may come before, while or after the mechanism starts to watch,
    /// and now and then the kernel picks the very port that is refused.
    @Test(arguments: Wiring.allCases)
    func nobodyListening(_ wiring: Wiring) async throws {
        let connection = try await Connection(wiring)
        let lane = connection.client.lane
        // A client's own port is in use, and nobody listens on it; a socket path need not exist.
        let local = try #require(await connection.client.on { $0.stream.local })
        let address = local.isInternet ? local : SocketAddress(path: freshPath())
        for _ in 0..<300 {
            guard case .failure(let error) = try await connect(to: address, on: lane) else {
                Issue.record("connected to \(address)")
                break
            }
            #expect(error.operation == .connect)
            #expect(error.isRefused)
        }
        await connection.end()
    }

    @Test func noOutcomeBeforeTheCallReturns() async throws {
        let lane = Lane(label: "lane")
        let missing = SocketAddress(path: freshPath())
        let called = Arrivals<Bool>()
        await lane.perform {
            let box = AttemptBox()
            nonisolated(unsafe) var hasReturned = false
            box.value = Stream.connect(to: missing, on: lane) { _ in
                called.add(unsafe hasReturned)
                box.value = nil
            }
            unsafe hasReturned = true
        }
        #expect(try await called.next())
    }

    @Test(arguments: Wiring.allCases)
    func cancellingEndsInSilence(_ wiring: Wiring) async throws {
        let lane = Lane(label: "lane")
        let listener = try Listener(wiring.freshAddress, on: lane)
        let accepted = Arrivals<Peer>()
        listener.start { lane, descriptor, peer in
            guard let stream = try? Stream(accepting: descriptor, peer: peer, on: lane),
                let peer = try? Peer(stream)
            else { return }
            accepted.add(peer)
        }
        let called = Arrivals<Void>()
        let address = listener.address
        await lane.perform {
            let attempt = Stream.connect(to: address, on: lane) { _ in called.add(()) }
            attempt.cancel()
            attempt.cancel()
            // Dropping one does the same.
            _ = Stream.connect(to: address, on: lane) { _ in called.add(()) }
        }
        // The kernel had connected both already: their peers see them break, where it can do that.
        let broken = Peer.Ending.failed(TransportError(.read, code: ECONNRESET))
        for _ in 0..<2 {
            let peer = try await accepted.next()
            await peer.receive()
            #expect(await peer.on { $0.ending } == (wiring == .unix ? .end : broken))
        }
        #expect(called.count == 0)
        await lane.perform { listener.close() }
    }

    /// A queue that is full leaves a connection half made.
    @Test func cancellingWhatHangs() async throws {
        let lane = Lane(label: "lane")
        var options = Listener.Options()
        options.backlog = 0
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let listener = try Listener(address, on: lane, options: options)
        let made = try await connect(to: listener.address, on: lane).get()
        let called = Arrivals<Void>()
        let bound = listener.address
        let attempts = await lane.perform {
            Handed(
                value: (0..<4).map { _ in
                    Stream.connect(to: bound, on: lane) { _ in called.add(()) }
                }
            )
        }
        await lane.settle()
        await lane.perform { for attempt in attempts.value { attempt.cancel() } }
        await lane.settle()
        #expect(called.count < 4)
        await lane.perform { listener.close() }
        await made.on { $0.stream.close() }
    }
}
