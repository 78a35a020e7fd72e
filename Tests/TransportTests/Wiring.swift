import Dispatch
import Glibc
import Synchronization
import Testing
import Transport

/// One way of connecting two ends: each test of sockets runs over all of them.
enum Wiring: String, CaseIterable, Sendable {
    case v4
    case v6
    case unix

    /// An address of this family that nobody listens on yet.
    var freshAddress: SocketAddress {
        get throws {
            switch self {
            case .v4: try #require(SocketAddress(ip: "127.0.0.1", port: 0))
            case .v6: try #require(SocketAddress(ip: "::1", port: 0))
            case .unix: SocketAddress(path: freshPath())
            }
        }
    }
}

/// Two connected ends, each on a lane of its own.
struct Connection: Sendable {
    let client: Peer
    let server: Peer
    let listener: Listener

    init(_ wiring: Wiring) async throws {
        let serverLane = Lane(label: "server")
        let clientLane = Lane(label: "client")
        listener = try Listener(wiring.freshAddress, on: serverLane)
        let accepted = Arrivals<Peer>()
        listener.start { lane, descriptor, peer in
            do {
                let stream = try Stream(accepting: descriptor, peer: peer, on: lane)
                accepted.add(try Peer(stream))
            } catch {
                Issue.record(error)
            }
        }
        client = try await connect(to: listener.address, on: clientLane).get()
        server = try await accepted.next()
    }

    /// Closes what is still open, and waits until it is.
    func end() async {
        await client.on { $0.stream.close() }
        await server.on { $0.stream.close() }
        await listener.lane.perform { [listener] in listener.close() }
        await client.lane.settle()
        await server.lane.settle()
        // What a lane watched is forgotten.
        for lane in [client.lane, server.lane] {
            #expect(await lane.perform { lane.watchedCount } == 0)
        }
    }
}

/// Connects, and waits for the outcome.
func connect(to address: SocketAddress, on lane: Lane) async throws
    -> Result<Peer, TransportError>
{
    let attempt = AttemptBox()
    let outcomes = Arrivals<Result<Peer, TransportError>>()
    lane.run {
        attempt.value = Stream.connect(to: address, on: lane) { result in
            attempt.value = nil
            outcomes.add(
                result.flatMap { stream in
                    Result { () throws(TransportError) in try Peer(stream) }
                }
            )
        }
    }
    return try await outcomes.next()
}

/// Holds an attempt on its lane, and is touched only there.
final class AttemptBox: @unchecked Sendable {
    var value: ConnectAttempt?
}

/// Values that arrive on any thread, waited for one at a time.
///
/// A value always passes through a queue, never through a continuation or a `Mutex`, so that the
/// thread sanitizer sees what happens before what.
///
/// `Sendable` because its state is only touched on that queue.
final class Arrivals<Value: Sendable>: @unchecked Sendable {
    private let queue = DispatchQueue(label: "arrivals")
    private var values: [Value] = []
    private var waiting: CheckedContinuation<Void, Never>?
    private var isOver = false

    func add(_ value: Value) {
        queue.sync {
            values.append(value)
            wake()
        }
    }

    /// The next value; throws when the test's time is up.
    func next() async throws -> Value {
        while true {
            if let value = take() { return value }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    queue.sync {
                        waiting = continuation
                        if !values.isEmpty || isOver { wake() }
                    }
                }
            } onCancel: {
                queue.sync {
                    isOver = true
                    wake()
                }
            }
            try Task.checkCancellation()
        }
    }

    var count: Int { queue.sync { values.count } }

    private func take() -> Value? {
        queue.sync { values.isEmpty ? nil : values.removeFirst() }
    }

    private func wake() {
        waiting?.resume()
        waiting = nil
    }
}

private let pathCounter = Atomic(0)

/// A path for a socket that no other test uses.
func freshPath() -> String {
    let number = pathCounter.add(1, ordering: .relaxed).newValue
    return "/tmp/weir-test-\(getpid())-\(number).sock"
}

/// How many descriptors this process has open.
func openDescriptorCount() -> Int {
    guard let directory = unsafe opendir("/proc/self/fd") else { return -1 }
    defer { unsafe _ = closedir(directory) }
    var count = 0
    while unsafe readdir(directory) != nil { count += 1 }
    // Less ".", ".." and the directory itself.
    return count - 3
}
