import Glibc
import Transport

/// One end of a connection in a test: reads only what it is asked for, and writes all it is given.
///
/// `Sendable` because its state is only touched on its lane.
final class Peer: StreamDelegate, @unchecked Sendable {
    let lane: Lane
    let stream: Stream

    /// Everything read so far.
    private(set) var received: [UInt8] = []

    /// How the reading ended, if it did.
    private(set) var ending: Ending?

    /// How many times the delegate was called.
    private(set) var wakes = (readable: 0, writable: 0)

    /// Told at each hang-up whether the connection is broken.
    let hangUps = Arrivals<Bool>()

    /// How many writes met EAGAIN.
    private(set) var blockedWrites = 0

    enum Ending: Equatable, Sendable {
        case end
        case failed(TransportError)
    }

    private let buffer: ByteBuffer
    private var wanted = 0
    private var reader: CheckedContinuation<Void, Never>?
    private var outgoing = Pieces()
    private var writer: CheckedContinuation<TransportError?, Never>?

    init(_ stream: Stream, bufferCapacity: Int = 16 * 1024) throws(TransportError) {
        self.stream = stream
        lane = stream.lane
        buffer = try ByteBuffer(capacity: bufferCapacity)
        stream.delegate = self
    }

    /// Does something with the peer on its lane.
    func on<Value: Sendable>(_ work: @escaping @Sendable (Peer) -> Value) async -> Value {
        await lane.perform { work(self) }
    }

    /// Reads until `count` bytes have been read in all, the end, or an error.
    @discardableResult
    func receive(total count: Int = .max) async -> [UInt8] {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lane.run {
                    self.wanted = count
                    self.reader = continuation
                    self.readMore()
                }
            }
        } onCancel: {
            lane.run { self.giveUp() }
        }
        return await on { $0.received }
    }

    /// Writes everything; returns the error that prevented it.
    @discardableResult
    func send(_ pieces: Pieces) async -> TransportError? {
        let pieces = Handed(value: pieces)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lane.run {
                    self.outgoing = pieces.value
                    self.writer = continuation
                    self.writeMore()
                }
            }
        } onCancel: {
            lane.run { self.giveUp() }
        }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) async -> TransportError? {
        await send(Pieces(prefix: bytes))
    }

    func streamIsReadable(_ stream: Stream) {
        wakes.readable += 1
        readMore()
    }

    func streamIsWritable(_ stream: Stream) {
        wakes.writable += 1
        writeMore()
    }

    func streamHungUp(_ stream: Stream) { hangUps.add(stream.isBroken) }

    /// Ends the waiting of a test whose time is up, so that it fails instead of hanging.
    private func giveUp() {
        reader?.resume()
        reader = nil
        writer?.resume(returning: TransportError(.write, code: ETIMEDOUT))
        writer = nil
    }

    private func readMore() {
        guard reader != nil else { return }
        while received.count < wanted, ending == nil {
            let limit = min(buffer.capacity, wanted - received.count)
            switch stream.read(into: buffer, 0..<limit) {
            case .bytes(let count):
                buffer.withBytes(0..<count) { span in
                    // SAFETY: the bytes are copied inside the closure.
                    unsafe span.withUnsafeBufferPointer { unsafe received.append(contentsOf: $0) }
                }
            case .end: ending = .end
            case .failed(let error): ending = .failed(error)
            case .wouldBlock:
                stream.awaitReadable()
                return
            }
        }
        reader?.resume()
        reader = nil
    }

    private func writeMore() {
        guard let writer else { return }
        while !outgoing.isEmpty {
            switch stream.write(outgoing) {
            case .bytes(let count):
                outgoing.advance(by: count)
            case .wouldBlock:
                blockedWrites += 1
                stream.awaitWritable()
                return
            case .failed(let error):
                self.writer = nil
                writer.resume(returning: error)
                return
            }
        }
        self.writer = nil
        writer.resume(returning: nil)
    }
}

/// Carries a value from the test to a lane; the test does not touch it any more.
struct Handed<Value>: @unchecked Sendable {
    let value: Value
}

extension Lane {
    /// Runs `work` on the lane and waits for what it returns.
    func perform<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            run { continuation.resume(returning: work()) }
        }
    }

    /// Waits until the work that the lane has now, and what that adds, is done.
    func settle() async {
        for _ in 0..<3 { await perform {} }
    }
}
