import Glibc
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct ListenerTests {
    @Test(arguments: Wiring.allCases)
    func dealsToTheLanesInTurn(_ wiring: Wiring) async throws {
        let lanes = Lane.makeAll(count: 3)
        let listener = try Listener(wiring.freshAddress, on: lanes[0], for: lanes)
        let labels = Arrivals<String>()
        listener.start { lane, _, _ in
            lane.assertOnLane()
            labels.add(lane.label)
        }
        var seen: [String] = []
        for _ in 0..<6 {
            let client = try await connect(to: listener.address, on: lanes[1]).get()
            seen.append(try await labels.next())
            await client.on { $0.stream.close() }
        }
        #expect(seen == ["lane-0", "lane-1", "lane-2", "lane-0", "lane-1", "lane-2"])
        #expect(await lanes[0].perform { listener.accepted } == 6)
        await lanes[0].perform { listener.close() }
    }

    @Test func acceptsMoreThanItsBudget() async throws {
        let lane = Lane(label: "server")
        let clientLane = Lane(label: "client")
        var options = Listener.Options()
        options.acceptBudget = 3
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let listener = try Listener(address, on: lane, options: options)
        // All of them wait before the first is accepted.
        var clients: [Peer] = []
        for _ in 0..<20 {
            clients.append(try await connect(to: listener.address, on: clientLane).get())
        }
        let accepted = Arrivals<Void>()
        listener.start { _, _, _ in accepted.add(()) }
        for _ in 0..<20 { try await accepted.next() }
        await lane.perform { listener.close() }
        for client in clients { await client.on { $0.stream.close() } }
    }

    @Test(arguments: Wiring.allCases)
    func aPortInUseIsAnError(_ wiring: Wiring) async throws {
        let lane = Lane(label: "lane")
        let listener = try Listener(wiring.freshAddress, on: lane)
        if wiring != .unix { #expect(listener.address.port ?? 0 > 0) }
        let error = #expect(throws: TransportError.self) {
            try Listener(listener.address, on: lane)
        }
        #expect(error == TransportError(.bind, code: EADDRINUSE))
        // The one that was there still works.
        listener.start { _, _, _ in }
        let client = try await connect(to: listener.address, on: lane).get()
        await client.on { $0.stream.close() }
        await lane.perform {
            listener.close()
            listener.close()
        }
        // Free again, without the minute that a closed port is remembered.
        let next = try await eventuallyListen(listener.address, on: lane)
        await lane.perform { next.close() }
    }

    @Test func aSharedPortHasTwoListeners() async throws {
        let lane = Lane(label: "lane")
        var options = Listener.Options()
        options.sharesPort = true
        let any = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let first = try Listener(any, on: lane, options: options)
        let second = try Listener(first.address, on: lane, options: options)
        #expect(first.address == second.address)
        await lane.perform {
            first.close()
            second.close()
        }
    }

    @Test func bindsWhatANameMeans() async throws {
        let lane = Lane(label: "lane")
        let listener = try Listener.binding(Address("localhost:0"), on: lane)
        #expect(listener.address.isLoopback)
        await lane.perform { listener.close() }
    }

    @Test func aStaleSocketFileIsReplaced() async throws {
        let path = freshPath()
        let lane = Lane(label: "lane")
        // What a killed process leaves: a bound socket, closed without removing its file.
        let moved = freshPath()
        let first = try Listener(SocketAddress(path: moved), on: lane)
        #expect(unsafe rename(moved, path) == 0)
        await lane.perform { first.close() }
        #expect(unsafe access(path, F_OK) == 0)

        let second = try await eventuallyListen(SocketAddress(path: path), on: lane)
        await lane.perform { second.close() }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func aFileThatIsNoSocketStays() throws {
        let path = freshPath()
        let number = unsafe open(path, O_CREAT | O_WRONLY, 0o600)
        defer { _ = unsafe unlink(path) }
        #expect(number >= 0)
        close(number)
        let error = #expect(throws: TransportError.self) {
            try Listener(SocketAddress(path: path), on: Lane(label: "lane"))
        }
        #expect(error?.code == EADDRINUSE)
        #expect(unsafe access(path, F_OK) == 0)
    }

    @Test func theFileOfASuccessorStays() async throws {
        let path = freshPath()
        let lane = Lane(label: "lane")
        let first = try Listener(SocketAddress(path: path), on: lane)
        _ = unsafe unlink(path)
        let second = try Listener(SocketAddress(path: path), on: lane)
        await lane.perform { first.close() }
        #expect(unsafe access(path, F_OK) == 0)
        await lane.perform { second.close() }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func droppingAListenerRemovesItsFile() throws {
        let path = freshPath()
        do {
            let listener = try Listener(SocketAddress(path: path), on: Lane(label: "lane"))
            #expect(listener.address.path == path)
        }
        #expect(unsafe access(path, F_OK) != 0)
    }

    @Test func whatCannotBeBoundIsAnError() throws {
        let address = try #require(SocketAddress(ip: "192.0.2.1", port: 0))
        let error = #expect(throws: TransportError.self) {
            try Listener(address, on: Lane(label: "lane"))
        }
        #expect(error?.operation == .bind)
    }

    /// Listens as soon as an address is not in use any more.
    ///
    /// Dispatch closes a little later, and a program that another test starts holds copies of our
    /// descriptors until it begins to run.
    private func eventuallyListen(
        _ address: SocketAddress,
        on lane: Lane
    ) async throws -> Listener {
        while true {
            do throws(TransportError) {
                return try Listener(address, on: lane)
            } catch  where error.code == EADDRINUSE {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }
}
