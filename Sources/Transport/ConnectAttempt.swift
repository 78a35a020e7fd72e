#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A connection that is being made.
///
/// It ends with one call of its completion, on the lane and never before the call that started
/// it has returned. Cancelling it, or dropping the last reference, ends it in silence and breaks
/// the connection, if the kernel has made it meanwhile: a peer that accepts it sees a reset, never
/// the orderly end of an empty request. It has no deadline of its own.
package final class ConnectAttempt {
    package typealias Completion = (Result<Stream, TransportError>) -> Void

    private let lane: Lane
    private let peer: SocketAddress
    private var completion: Completion?
    private var readiness: Readiness?

    init(to peer: SocketAddress, on lane: Lane, completion: @escaping Completion) {
        lane.assertOnLane()
        self.lane = lane
        self.peer = peer
        self.completion = completion
        do throws(TransportError) {
            try start()
        } catch {
            lane.later { [weak self] in self?.finish(.failure(error)) }
        }
    }

    deinit {
        readiness?.descriptor?.resetOnClose()
    }

    /// Gives up: the completion is not called any more.
    package func cancel() {
        lane.assertOnLane()
        completion = nil
        readiness?.descriptor?.resetOnClose()
        readiness?.cancel()
        readiness = nil
    }

    private func start() throws(TransportError) {
        let descriptor = try Descriptor.socket(domain: peer.domain)
        let result = unsafe peer.withKernelAddress { address, length in
            // Not repeated when interrupted: the attempt goes on, and a second call would fail.
            unsafe connect(descriptor.number, address, length) == 0 ? 0 : errno
        }
        guard result == 0 || result == EINPROGRESS || result == EINTR else {
            throw TransportError(.connect, code: result)
        }
        // Only now: before `connect`, the mechanisms would report a hang-up.
        let readiness = try Readiness.watching(descriptor, on: lane)
        self.readiness = readiness
        readiness.observer = self
        readiness.await(.write)
    }

    /// True if the socket has met itself.
    ///
    /// The kernel may give the socket the very port that it connects to, if nobody listens there.
    /// The two openings then cross (RFC 9293 section 3.5), and what we send comes back as an answer.
    private func isConnectedToItself(_ descriptor: Descriptor) -> Bool {
        peer.isInternet && SocketAddress.local(of: descriptor.number) == peer
    }

    private func finish(_ result: Result<Stream, TransportError>) {
        guard let completion else { return }
        self.completion = nil
        readiness = nil
        completion(result)
    }
}

extension ConnectAttempt: ReadinessObserver {
    func becameReady(_ direction: Direction) {
        guard let readiness, let descriptor = readiness.descriptor else { return }
        let code = descriptor.takePendingError()
        if code != 0 || isConnectedToItself(descriptor) {
            readiness.cancel()
            finish(.failure(TransportError(.connect, code: code != 0 ? code : ECONNREFUSED)))
        } else if SocketAddress.isConnected(descriptor.number) {
            finish(.success(Stream(readiness, descriptor, peer: peer)))
        } else {
            readiness.blocked(.write)
            readiness.await(.write)
        }
    }
}
