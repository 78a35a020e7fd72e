internal import CSystem
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What a read brought.
package enum ReadOutcome: Equatable, Sendable {
    /// So many bytes, at least one, at the start of the range that was offered.
    case bytes(Int)

    /// The peer has finished sending.
    case end

    /// Nothing now: `awaitReadable()`.
    case wouldBlock

    case failed(TransportError)
}

/// What a write came to.
package enum WriteOutcome: Equatable, Sendable {
    /// So many bytes were taken; fewer than offered means that the next write will probably block.
    case bytes(Int)

    /// Nothing taken now: `awaitWritable()`.
    case wouldBlock

    case failed(TransportError)
}

/// What an idle socket looks like, without taking anything from it.
package enum StreamState: Equatable, Sendable {
    case quiet
    case readable
    case end
    case failed(TransportError)
}

/// Is told, on the lane, that what it awaited has come; it then tries again.
package protocol StreamDelegate: AnyObject {
    func streamIsReadable(_ stream: Stream)
    func streamIsWritable(_ stream: Stream)

    /// The peer has ended its stream (`hasPeerFinished`) or broken the connection (`isBroken`).
    ///
    /// Told unasked, perhaps more than once, while bytes of the peer may still be unread; and not
    /// on every system, so reading and writing have to find it out as well.
    func streamHungUp(_ stream: Stream)
}

extension StreamDelegate {
    package func streamHungUp(_ stream: Stream) {}
}

/// One connected socket, on one lane.
///
/// Bytes move when the owner reads and writes; a stream holds none. The owner always tries first
/// and awaits only after `wouldBlock`. One `await` brings at most one call of the delegate, which
/// may be in vain. Confined to its lane; only the last reference may be dropped elsewhere.
package final class Stream {
    package weak var delegate: (any StreamDelegate)?
    package let lane: Lane

    /// The other end.
    package let peer: SocketAddress

    package private(set) var bytesRead: UInt64 = 0
    package private(set) var bytesWritten: UInt64 = 0

    /// False once `close` or `reset` was called.
    package private(set) var isOpen = true

    /// The end of the peer's stream has arrived, behind what is still unread.
    package var hasPeerFinished: Bool { readiness.hasPeerFinished }

    /// The peer has reset the connection, or the kernel has given it up.
    package var isBroken: Bool { readiness.isBroken }

    private var isWritingShut = false
    private var isBrokenIfAbandoned = false
    private let readiness: Readiness

    /// The socket's number, good while `isOpen`: `readiness` owns it.
    private let number: Int32

    /// Takes over a connected socket, as a listener delivers it.
    ///
    /// Throws only if the lane cannot watch one descriptor more; the socket is then closed.
    package convenience init(
        accepting descriptor: Descriptor,
        peer: SocketAddress,
        on lane: Lane
    ) throws(TransportError) {
        lane.assertOnLane()
        self.init(try .watching(descriptor, on: lane), descriptor, peer: peer)
    }

    init(_ readiness: Readiness, _ descriptor: Descriptor, peer: SocketAddress) {
        self.readiness = readiness
        self.peer = peer
        lane = readiness.lane
        number = descriptor.number
        // Weir decides itself what goes into one write; the kernel shall not wait for more.
        if peer.isInternet { descriptor.set(TCP_NODELAY, level: tcpLevel) }
        readiness.observer = self
    }

    /// Connects to `peer`; `completion` is called on the lane, in a later turn, at most once.
    ///
    /// The attempt must be held until then: cancelling or dropping it gives it up in silence.
    package static func connect(
        to peer: SocketAddress,
        on lane: Lane,
        completion: @escaping ConnectAttempt.Completion
    ) -> ConnectAttempt {
        ConnectAttempt(to: peer, on: lane, completion: completion)
    }

    /// This end; nil when the socket is closed.
    package var local: SocketAddress? {
        isOpen ? SocketAddress.local(of: number) : nil
    }

    // MARK: Bytes

    /// Reads what has arrived into a range of a buffer, once.
    package func read(into buffer: ByteBuffer, _ range: Range<Int>) -> ReadOutcome {
        lane.assertOnLane()
        guard isOpen else { return .failed(.closed(.read)) }
        // The kernel answers an empty read like the end of the stream, which this is not.
        guard !range.isEmpty else { return .bytes(0) }
        if readiness.isExhausted(.read) { return .wouldBlock }
        let result = SystemCall {
            // SAFETY: `start(of:)` checks the range, and the kernel writes no more than its count.
            unsafe recv(number, buffer.start(of: range), range.count, 0)
        }
        switch result {
        case .value(0):
            return .end
        case .value(let count):
            bytesRead += UInt64(count)
            if count < range.count { readiness.readShort() }
            // What is done with so much takes time.
            if count >= 64 << 10 { lane.clock.refresh() }
            return .bytes(count)
        case .failed(EAGAIN):
            readiness.blocked(.read)
            return .wouldBlock
        case .failed(let code):
            return .failed(TransportError(.read, code: code))
        }
    }

    /// Writes as much as the socket takes, once.
    ///
    /// The caller advances the pieces by the outcome, and tries again when it is writable.
    package func write(_ pieces: Pieces) -> WriteOutcome {
        lane.assertOnLane()
        guard isOpen else { return .failed(.closed(.write)) }
        let wanted = pieces.count
        guard wanted > 0 else { return .bytes(0) }
        if readiness.isExhausted(.write) { return .wouldBlock }
        let result = SystemCall {
            // SAFETY: `withAddresses` lends memory that lives until the call returns.
            unsafe pieces.withAddresses { prefix, run, suffix in
                unsafe weir_send(
                    number,
                    prefix.baseAddress,
                    prefix.count,
                    run.baseAddress,
                    run.count,
                    suffix.baseAddress,
                    suffix.count
                )
            }
        }
        switch result {
        case .value(let count):
            bytesWritten += UInt64(count)
            if count < wanted { readiness.blocked(.write) }
            return .bytes(count)
        case .failed(EAGAIN):
            readiness.blocked(.write)
            return .wouldBlock
        case .failed(let code):
            return .failed(TransportError(.write, code: code))
        }
    }

    /// Nothing has come since a read took all there was, as far as the lane has been told.
    package var isQuiet: Bool {
        isOpen && readiness.isExhausted(.read) && !readiness.hasPeerFinished
    }

    /// Looks whether a socket that should be idle still is.
    package func peekState() -> StreamState {
        lane.assertOnLane()
        guard isOpen else { return .failed(.closed(.read)) }
        var byte: UInt8 = 0
        let result = SystemCall {
            // SAFETY: the kernel writes at most the one byte there is room for.
            unsafe recv(number, &byte, 1, peekFlags)
        }
        switch result {
        case .value(0):
            return .end
        case .value:
            return .readable
        case .failed(EAGAIN):
            readiness.blocked(.read)
            return .quiet
        case .failed(let code):
            return .failed(TransportError(.read, code: code))
        }
    }

    /// How many bytes have arrived that were not read yet.
    package var unreadBytes: Int {
        lane.assertOnLane()
        guard isOpen else { return 0 }
        return max(0, Int(weir_unread(number)))
    }

    // MARK: Waiting

    /// Asks for one call of `streamIsReadable`, when there are bytes, an end, or an error.
    package func awaitReadable() {
        lane.assertOnLane()
        readiness.await(.read)
    }

    package func stopAwaitingReadable() {
        lane.assertOnLane()
        readiness.stopAwaiting(.read)
    }

    /// Asks for one call of `streamIsWritable`, when there is room, or an error.
    package func awaitWritable() {
        lane.assertOnLane()
        readiness.await(.write)
    }

    package func stopAwaitingWritable() {
        lane.assertOnLane()
        readiness.stopAwaiting(.write)
    }

    /// How many bytes were written that the other end has not acknowledged; 0 if unknown.
    package var untakenBytes: Int {
        lane.assertOnLane()
        guard isOpen else { return 0 }
        return max(0, Int(weir_untaken(number)))
    }

    // MARK: Ending

    /// Tells the peer that nothing more will come; reading goes on.
    package func shutdownWrite() {
        lane.assertOnLane()
        guard isOpen, !isWritingShut else { return }
        isWritingShut = true
        // It can fail only if the connection is already gone, which the next read tells.
        _ = shutdown(number, writingHalf)
    }

    /// Closes in order: what was written is still delivered, then the peer sees the end.
    ///
    /// If bytes of the peer lie unread, the kernel sends a reset instead.
    package func close() {
        lane.assertOnLane()
        guard isOpen else { return }
        if isBrokenIfAbandoned { readiness.descriptor?.finishOnClose() }
        end()
    }

    private func end() {
        isOpen = false
        readiness.cancel()
    }

    /// From now on, only `close` ends the connection in order.
    ///
    /// Whatever else ends it, the end of this process included, the peer sees a reset: it cannot
    /// take what it has got for all there is.
    package func breakIfAbandoned() {
        lane.assertOnLane()
        guard isOpen else { return }
        isBrokenIfAbandoned = true
        readiness.descriptor?.resetOnClose()
    }

    /// Breaks the connection: the peer sees an error, never a clean end.
    package func reset() {
        lane.assertOnLane()
        guard isOpen else { return }
        readiness.descriptor?.resetOnClose()
        end()
    }
}

extension Stream: ReadinessObserver {
    func becameReady(_ direction: Direction) {
        switch direction {
        case .read: delegate?.streamIsReadable(self)
        case .write: delegate?.streamIsWritable(self)
        }
    }

    func hungUp() {
        delegate?.streamHungUp(self)
    }
}

private let tcpLevel = Int32(IPPROTO_TCP)
private let writingHalf = Int32(SHUT_WR)
private let peekFlags = Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)
