/// What a descriptor can be waited for.
enum Direction {
    case read
    case write
}

/// Is told, on the lane, what it awaited.
protocol ReadinessObserver: AnyObject {
    func becameReady(_ direction: Direction)

    /// The peer has ended the stream, or the connection is broken; told unasked.
    func hungUp()
}

extension ReadinessObserver {
    func hungUp() {}
}

/// Owns one descriptor, and tells its observer when it can be read or written.
///
/// The interface between a socket and the mechanism that watches it; everything above knows only
/// this. Linux has `EpollReadiness`, other systems `DispatchReadiness`, by one contract:
///
/// - **One shot**: one `await` brings at most one callback, in a later turn of the lane.
/// - **Level**: `await` brings a callback whenever there is something to do now, whether or not
///   the last read or write met EAGAIN. A callback may still be in vain; the observer tries, and
///   awaits again.
/// - `blocked` says that a call met EAGAIN, or moved less than it could have (epoll(7), question
///   9). Until the next event there is nothing to do then: `isExhausted`.
/// - A hang-up or an error counts as ready for both: only the call itself says what happened.
/// - Where the system tells of a hang-up apart (`epoll` does), the observer is told unasked, and
///   more than once perhaps.
/// - After `cancel` there are no callbacks, and the descriptor is closed as soon as no event can
///   refer to it any more. Dropping the object cancels too, from any thread.
///
/// Mechanisms report *edges*, and may never report anything again after a hang-up. Therefore an
/// edge is remembered until a call meets EAGAIN, and `await` looks at that memory first.
class Readiness {
    let lane: Lane

    /// Told what became ready; its owner sets it.
    weak var observer: (any ReadinessObserver)?

    /// The descriptor; nil once cancelled.
    private(set) final var descriptor: Descriptor?

    private final var read = Interest()
    private final var write = Interest()

    /// What is known of one direction.
    private struct Interest {
        /// The observer wants a callback.
        var isAwaited = false

        /// Something happened, and no call has met EAGAIN since.
        var isReady = false

        /// A call has met EAGAIN, and nothing happened since.
        var isExhausted = false
    }

    /// The end of the peer's stream has arrived, behind what is still unread.
    private(set) final var hasPeerFinished = false

    /// The peer has reset the connection, or the kernel has given it up.
    private(set) final var isBroken = false

    /// What a read leaves of what has come is not always nothing: a read also ends at urgent data.
    private final var hasUrgentData = false

    init(_ descriptor: Descriptor, on lane: Lane) {
        self.descriptor = descriptor
        self.lane = lane
    }

    /// Watches `descriptor` with the mechanism of this system.
    ///
    /// A socket must be connected, connecting or listening: `epoll` reports an idle one as hung up.
    static func watching(
        _ descriptor: Descriptor,
        on lane: Lane
    ) throws(TransportError) -> Readiness {
        #if os(Linux)
        try EpollReadiness(descriptor, on: lane, by: lane.loop())
        #else
        DispatchReadiness(descriptor, on: lane)
        #endif
    }

    // MARK: What a mechanism does

    /// Sees to it that the next event in this direction is reported.
    func arm(_ direction: Direction) {
        preconditionFailure("each mechanism has its own")
    }

    /// Stops watching; `descriptor` stays open until this has taken effect.
    func disarm(keeping descriptor: Descriptor) {
        preconditionFailure("each mechanism has its own")
    }

    // MARK: What an owner asks

    final func await(_ direction: Direction) {
        guard descriptor != nil, !self[direction].isAwaited else { return }
        self[direction].isAwaited = true
        if self[direction].isReady {
            lane.later { [weak self] in self?.report(direction) }
        } else {
            arm(direction)
        }
    }

    final func stopAwaiting(_ direction: Direction) {
        self[direction].isAwaited = false
    }

    /// A call in this direction met EAGAIN.
    final func blocked(_ direction: Direction) {
        self[direction].isReady = false
        self[direction].isExhausted = true
    }

    /// A read brought less than there was room for: it has taken all there was.
    ///
    /// The end of the stream, once it has been told of, is still to be read.
    final func readShort() {
        if !hasPeerFinished, !hasUrgentData { blocked(.read) }
    }

    /// A call in this direction would meet EAGAIN, as far as this lane has been told.
    final func isExhausted(_ direction: Direction) -> Bool { self[direction].isExhausted }

    final func cancel() {
        guard let descriptor else { return }
        self.descriptor = nil
        read = Interest()
        write = Interest()
        disarm(keeping: descriptor)
    }

    // MARK: What a mechanism reports

    final func isAwaited(_ direction: Direction) -> Bool { self[direction].isAwaited }

    /// An event happened in this direction, or in any.
    final func report(_ direction: Direction) {
        guard descriptor != nil else { return }
        self[direction].isReady = true
        self[direction].isExhausted = false
        guard self[direction].isAwaited else { return }
        self[direction].isAwaited = false
        observer?.becameReady(direction)
    }

    /// The peer has ended the stream, or the connection is broken; to be noted before the rest of
    /// the event is reported, and told after it.
    final func noteHangUp(isBroken: Bool) {
        hasPeerFinished = true
        if isBroken { self.isBroken = true }
    }

    final func reportHangUp() {
        guard descriptor != nil else { return }
        observer?.hungUp()
    }

    final func distrustShortReads() { hasUrgentData = true }

    private final subscript(direction: Direction) -> Interest {
        get {
            switch direction {
            case .read: read
            case .write: write
            }
        }
        set {
            switch direction {
            case .read: read = newValue
            case .write: write = newValue
            }
        }
    }
}
