import Glibc
import Testing
import Transport

/// What concerns the whole process happens in one of its own.
@Suite(.timeLimit(.minutes(1))) struct ProcessTests {
    @Test func aThousandConnectionsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let wirings = Wiring.allCases
            // The first round opens what stays open: queues, and Dispatch's own descriptors.
            var before = 0
            for round in 0..<1_001 {
                if round == 1 { before = openDescriptorCount() }
                let connection = try await Connection(wirings[round % 3])
                await connection.client.send([1])
                switch round % 4 {
                case 0: await connection.server.receive(total: 1)
                case 1: await connection.client.on { $0.stream.reset() }
                case 2: await connection.client.on { $0.stream.awaitReadable() }
                default: await connection.server.on { $0.stream.awaitWritable() }
                }
                // In some rounds everything is dropped without being closed.
                if round % 5 == 0 {
                    await connection.listener.lane.perform { connection.listener.close() }
                } else {
                    await connection.end()
                }
            }
            #expect(await fallsTo(before + 6))
        }
    }

    @Test func theLimitOfDescriptorsIsRaised() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit(rlim_cur: 100, rlim_max: 200)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            #expect(DescriptorLimit.raise() == 200)
            #expect(DescriptorLimit.raise() == 200)
            #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            #expect(limit.rlim_cur == 200)
        }
    }

    @Test func withoutDescriptorsAcceptingRestsAndGoesOn() async {
        await #expect(processExitsWith: .success) {
            let lane = Lane(label: "server")
            let clientLane = Lane(label: "client")
            let any = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
            let listener = try Listener(any, on: lane)
            let troubles = Arrivals<TransportError>()
            let accepted = Arrivals<Void>()
            listener.start(onTrouble: { troubles.add($0) }) { _, _, _ in accepted.add(()) }
            // What lanes, deadlines and Dispatch need themselves, they have after the first use.
            let first = try await connect(to: listener.address, on: clientLane).get()
            try await accepted.next()
            await withCheckedContinuation { continuation in
                lane.run {
                    Deadline(on: lane.deadlines) { continuation.resume() }.set(at: .now)
                }
            }
            var limit = rlimit(rlim_cur: rlim_t(openDescriptorCount() + 20), rlim_max: 4096)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var fillers: [Int32] = []
            while true {
                let number = dup(0)
                if number < 0 { break }
                fillers.append(number)
            }
            // One is left for the client, none for the socket that accepting it would make.
            close(fillers.removeLast())
            let start = Instant.now
            let second = try await connect(to: listener.address, on: clientLane).get()
            for _ in 0..<4 {
                #expect(try await troubles.next() == TransportError(.accept, code: EMFILE))
            }
            // Three pauses lie between four troubles: it does not spin.
            #expect(Instant.now - start >= .milliseconds(150))
            #expect(accepted.count == 0)
            for number in fillers { close(number) }
            try await accepted.next()
            await first.on { $0.stream.close() }
            await second.on { $0.stream.close() }
            await lane.perform { listener.close() }
        }
    }

    @Test func theLastDescriptorIsKeptToRefuseWith() async {
        await #expect(processExitsWith: .success) {
            let lane = Lane(label: "server")
            let clientLane = Lane(label: "client")
            let any = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
            let listener = try Listener(any, on: lane)
            let troubles = Arrivals<TransportError>()
            let refused = Arrivals<Void>()
            let accepted = Arrivals<Void>()
            listener.start {
                troubles.add($0)
            } onExhaustion: { _, _, _ in
                refused.add(())
            } onConnection: { _, _, _ in
                accepted.add(())
            }
            let first = try await connect(to: listener.address, on: clientLane).get()
            try await accepted.next()
            var limit = rlimit(rlim_cur: rlim_t(openDescriptorCount() + 20), rlim_max: 4096)
            #expect(unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            var fillers: [Int32] = []
            while true {
                let number = dup(0)
                if number < 0 { break }
                fillers.append(number)
            }
            // Again and again: it is held anew each time.
            for _ in 0..<5 {
                close(fillers.removeLast())
                let client = try await connect(to: listener.address, on: clientLane).get()
                try await refused.next()
                #expect(try await troubles.next() == TransportError(.accept, code: EMFILE))
                #expect(await client.receive().isEmpty)
                #expect(await client.on { $0.ending } == .end)
                await client.on { $0.stream.close() }
                await clientLane.settle()
                let number = dup(0)
                if number >= 0 { fillers.append(number) }
            }
            #expect(accepted.count == 0)
            for number in fillers { close(number) }
            let last = try await connect(to: listener.address, on: clientLane).get()
            try await accepted.next()
            await first.on { $0.stream.close() }
            await last.on { $0.stream.close() }
            await lane.perform { listener.close() }
        }
    }

    @Test func signalsAreToldAndDoNothingElse() async {
        await #expect(processExitsWith: .success) {
            let lane = Lane(label: "lane")
            let ready = Arrivals<SignalWatch.Signal>()
            let told = Arrivals<SignalWatch.Signal>()
            let watch = SignalWatch(
                SignalWatch.Signal.allCases,
                on: lane,
                onReady: { ready.add($0) },
                onSignal: { told.add($0) }
            )
            for _ in SignalWatch.Signal.allCases { _ = try await ready.next() }
            for signal in SignalWatch.Signal.allCases + SignalWatch.Signal.allCases {
                kill(getpid(), signal.number)
                #expect(try await told.next() == signal)
            }
            withExtendedLifetime(watch) {}
        }
    }

    @Test func aBrokenPipeIsAnErrorOnly() async {
        await #expect(processExitsWith: .success) {
            SignalWatch.ignoreBrokenPipes()
            kill(getpid(), SIGPIPE)
        }
    }
}

/// True once no more than `count` descriptors are open, false if that takes ten seconds.
private func fallsTo(_ count: Int) async -> Bool {
    let start = Instant.now
    while openDescriptorCount() > count {
        if Instant.now - start > .seconds(10) { return false }
        await Task.yield()
    }
    return true
}
