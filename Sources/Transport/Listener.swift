internal import CSystem
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Accepts connections on one address and deals them out to lanes, one after the other.
///
/// One listener feeds all lanes in turn. The alternative, a socket for each lane on the same port
/// (`sharesPort`), lets the kernel choose by a hash: few connections then spread unevenly, and
/// those queued on a lane that closes are lost. It is there for several processes on one port.
///
/// `Sendable` because it is made on any thread and then confined to `lane`, where `close` must be
/// called; `start` hops there by itself.
package final class Listener: @unchecked Sendable {
    /// Is called on the lane that shall own the connection, with its socket and its peer.
    package typealias Acceptance = @Sendable (Lane, Descriptor, SocketAddress) -> Void

    package struct Options: Sendable {
        /// How many connections may wait to be accepted; the kernel has a limit of its own.
        package var backlog: Int32 = 4096

        /// How many are accepted before other work of the lane gets a turn.
        package var acceptBudget = 64

        /// How long accepting rests when the system has no descriptor or memory left.
        package var exhaustionPause: Duration = .milliseconds(50)

        /// Other sockets may listen on the same port, if they say so too (`SO_REUSEPORT`).
        package var sharesPort = false

        package init() {}
    }

    /// Where it listens; the port is a real one, also if 0 was asked for.
    package let address: SocketAddress

    package let lane: Lane

    /// How many connections were accepted.
    package private(set) var accepted: UInt64 = 0

    private let options: Options
    private let targets: [Lane]
    private var nextTarget = 0
    private var socketFile: UnixSocketFile?
    private var onConnection: Acceptance?
    private var onTrouble: @Sendable (TransportError) -> Void = { _ in }
    private var onExhaustion: Acceptance?

    /// Given up where the system has no other descriptor, so that a client can be told so.
    private var reserve: Descriptor?

    /// The socket, from `init` until `start` has given it to `readiness`.
    private var unstarted: Descriptor?
    private var readiness: Readiness?
    private var pause: Deadline?

    /// Binds and listens; connections queue in the kernel until `start`.
    ///
    /// The socket file that a dead process left is replaced. Port 0 picks a free port. The
    /// connections go to `lanes` in turn, or all to `lane` if there are none.
    package init(
        _ address: SocketAddress,
        on lane: Lane,
        for lanes: [Lane] = [],
        options: Options = Options()
    ) throws(TransportError) {
        let descriptor = try Descriptor.socket(domain: address.domain)
        if address.isInternet {
            descriptor.set(SO_REUSEADDR)
            if options.sharesPort { descriptor.set(SO_REUSEPORT) }
        } else {
            UnixSocketFile.removeStale(at: address)
        }
        let bound = SystemCall {
            unsafe address.withKernelAddress { Int(unsafe bind(descriptor.number, $0, $1)) }
        }
        _ = try bound.value(of: .bind)
        socketFile = address.path.flatMap { UnixSocketFile(at: $0) }
        let listening = SystemCall { Int(listen(descriptor.number, options.backlog)) }
        if case .failed(let code) = listening {
            socketFile?.remove()
            throw TransportError(.listen, code: code)
        }
        self.address = SocketAddress.local(of: descriptor.number) ?? address
        self.lane = lane
        self.options = options
        targets = lanes.isEmpty ? [lane] : lanes
        unstarted = descriptor
    }

    /// Looks `address` up, waiting for the answer, and listens on the first that can be bound.
    package static func binding(
        _ address: Address,
        on lane: Lane,
        for lanes: [Lane] = [],
        options: Options = Options()
    ) throws(TransportError) -> Listener {
        var failure = TransportError(.resolve, code: EAI_NONAME)
        for candidate in try Resolver.resolveNow(address) {
            do throws(TransportError) {
                return try Listener(candidate, on: lane, for: lanes, options: options)
            } catch {
                failure = error
            }
        }
        throw failure
    }

    deinit {
        socketFile?.remove()
    }

    /// Begins to accept, and goes on for as long as the listener is held.
    ///
    /// May be called from any thread, once. `onConnection` is called on the lane that shall own
    /// the connection; `onTrouble` on the listener's lane, when accepting failed, or cannot begin.
    ///
    /// Where there are no descriptors left, accepting rests for a moment; but with `onExhaustion`
    /// one is kept for that case, and what it accepts is handed to that, on the listener's lane,
    /// to be closed before it returns.
    package func start(
        onTrouble: @escaping @Sendable (TransportError) -> Void = { _ in },
        onExhaustion: Acceptance? = nil,
        onConnection: @escaping Acceptance
    ) {
        lane.run {
            self.onTrouble = onTrouble
            self.onExhaustion = onExhaustion
            self.onConnection = onConnection
            self.begin()
        }
    }

    /// Accepts nothing more, from now on.
    package func close() {
        lane.assertOnLane()
        unstarted = nil
        readiness?.cancel()
        readiness = nil
        pause?.clear()
        pause = nil
        onConnection = nil
        onExhaustion = nil
        reserve = nil
        socketFile?.remove()
        socketFile = nil
    }

    private func begin() {
        guard let descriptor = unstarted else { return }
        unstarted = nil
        do throws(TransportError) {
            let readiness = try Readiness.watching(descriptor, on: lane)
            readiness.observer = self
            self.readiness = readiness
            pause = Deadline(on: lane.deadlines) { [weak self] in self?.acceptAll() }
            acceptAll()
        } catch {
            close()
            onTrouble(error)
        }
    }

    /// Accepts until nobody waits, the budget is spent, or the system refuses.
    private func acceptAll() {
        holdReserve()
        for _ in 0..<options.acceptBudget {
            // Asked each time: a connection's owner may have closed the listener.
            guard let readiness, let listening = readiness.descriptor else { return }
            switch acceptOne(on: listening) {
            case .value:
                continue
            case .failed(EAGAIN):
                readiness.blocked(.read)
                readiness.await(.read)
                return
            case .failed(let code) where Self.isOfOneConnection(code):
                continue
            case .failed(let code):
                onTrouble(TransportError(.accept, code: code))
                if Self.isOutOfDescriptors(code), refuseOne(on: listening) { continue }
                // Trying again at once would spin: the connection that cannot be accepted stays.
                pause?.set(after: options.exhaustionPause)
                return
            }
        }
        readiness?.await(.read)
    }

    /// Accepts one connection, and deals it to the next lane.
    private func acceptOne(on listening: Descriptor) -> SystemCall {
        let (result, peer) = Self.accept(on: listening)
        guard case .value(let number) = result else { return result }
        deal(Descriptor(owning: Int32(truncatingIfNeeded: number)), from: peer)
        return result
    }

    /// Accepts one connection with the descriptor kept for that, and has it closed.
    private func refuseOne(on listening: Descriptor) -> Bool {
        guard let onExhaustion, reserve != nil else { return false }
        reserve = nil
        let (result, peer) = Self.accept(on: listening)
        if case .value(let number) = result {
            onExhaustion(lane, Descriptor(owning: Int32(truncatingIfNeeded: number)), peer)
        }
        holdReserve()
        if case .value = result { return true }
        return false
    }

    private func holdReserve() {
        guard onExhaustion != nil, reserve == nil else { return }
        // SAFETY: the path is a literal, copied by the call.
        let result = SystemCall { Int(unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)) }
        guard case .value(let number) = result else { return }
        reserve = Descriptor(owning: Int32(truncatingIfNeeded: number))
    }

    private static func accept(on listening: Descriptor) -> (SystemCall, SocketAddress) {
        var peer: SocketAddress?
        let result = SystemCall {
            let (number, address) = unsafe SocketAddress.filled { pointer, length in
                unsafe weir_accept(listening.number, pointer, length)
            }
            peer = address
            return Int(number)
        }
        return (result, peer ?? SocketAddress(path: ""))
    }

    private func deal(_ descriptor: Descriptor, from peer: SocketAddress) {
        guard let onConnection else { return }
        accepted += 1
        let target = targets[nextTarget]
        nextTarget = (nextTarget + 1) % targets.count
        if target === lane {
            onConnection(target, descriptor, peer)
        } else {
            target.run { onConnection(target, descriptor, peer) }
        }
    }

    private static func isOutOfDescriptors(_ code: Int32) -> Bool {
        code == EMFILE || code == ENFILE
    }

    /// True for an error of the connection that was to be accepted, which is gone with it.
    private static func isOfOneConnection(_ code: Int32) -> Bool {
        switch code {
        case ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENETUNREACH, EHOSTUNREACH, EHOSTDOWN,
            ENOPROTOOPT, EOPNOTSUPP, ETIMEDOUT:
            true
        default:
            false
        }
    }
}

extension Listener: ReadinessObserver {
    func becameReady(_ direction: Direction) {
        acceptAll()
    }
}
