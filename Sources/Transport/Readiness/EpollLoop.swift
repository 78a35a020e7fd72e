#if os(Linux)
internal import CSystem
internal import Dispatch

/// The `epoll` descriptor of one lane, emptied on the lane's own queue.
///
/// Dispatch watches only this one descriptor. When it wakes the lane, the loop takes events and
/// waits for more, as long as some come and until others of the queue have their turn: a busy lane
/// is woken by the kernel itself, not by Dispatch, which takes a thread more. What other threads
/// have for the lane ends the wait (`LaneWaker`). An `epoll` descriptor never hangs up, and Dispatch on Linux is safe with no other kind (see
/// `DispatchReadiness`).
///
/// Confined to its lane, and `Sendable` only so that the lane can be. `@safe` because an
/// `epoll_event` counts as unsafe for a pointer it could carry; here it carries a token.
@safe
final class EpollLoop: @unchecked Sendable {
    /// Names a registration: its slot, and how often the slot had been used before.
    ///
    /// An event that was fetched before its registration ended carries an old generation, and is
    /// dropped, even if the slot or the descriptor's number is in use again.
    struct Token {
        let slot: UInt32
        let generation: UInt32

        static let none = Token(slot: .max, generation: 0)
    }

    private struct Slot {
        weak var readiness: EpollReadiness?
        var generation: UInt32 = 0
    }

    /// After so long other work of the queue gets its turn; Dispatch wakes the loop again.
    private static let turnLength = Duration.milliseconds(10)

    /// It owns this loop.
    private weak var lane: Lane?
    private let waker: LaneWaker
    private let descriptor: Descriptor
    private let source: any DispatchSourceRead
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 128)

    init(on lane: Lane, wakenBy waker: LaneWaker) throws(TransportError) {
        self.lane = lane
        self.waker = waker
        let number = try SystemCall { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) }
            .value(of: .register)
        descriptor = Descriptor(owning: Int32(truncatingIfNeeded: number))
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: lane.queue)
        source.setEventHandler { [weak self] in self?.drain() }
        source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
        source.activate()
        if let wake = waker.descriptor {
            try watch(wake, as: .none, for: EPOLLIN.rawValue | EPOLLET.rawValue)
        }
    }

    deinit {
        source.cancel()
    }

    func add(
        _ readiness: EpollReadiness,
        _ watched: Descriptor
    ) throws(TransportError) -> Token {
        let slot: UInt32
        if let reused = free.popLast() {
            slot = reused
        } else {
            // As many slots as descriptors were ever open at once: far fewer than 2^32.
            slot = UInt32(truncatingIfNeeded: slots.count)
            slots.append(Slot())
        }
        let token = Token(slot: slot, generation: slots[Int(slot)].generation)
        do throws(TransportError) {
            try watch(watched, as: token, for: Self.interest)
        } catch {
            free.append(slot)
            throw error
        }
        slots[Int(slot)].readiness = readiness
        return token
    }

    private func watch(
        _ watched: Descriptor,
        as token: Token,
        for interest: UInt32
    ) throws(TransportError) {
        var event = unsafe epoll_event()
        unsafe event.events = interest
        unsafe event.data.u64 = UInt64(token.generation) << 32 | UInt64(token.slot)
        let result = SystemCall {
            Int(unsafe epoll_ctl(descriptor.number, EPOLL_CTL_ADD, watched.number, &event))
        }
        _ = try result.value(of: .register)
    }

    /// How many descriptors are registered.
    var count: Int { slots.count - free.count }

    func remove(_ token: Token) {
        let slot = Int(token.slot)
        guard slot < slots.count, slots[slot].generation == token.generation else { return }
        // Wraps: an event would have to be 2^32 registrations late to be mistaken.
        slots[slot] = Slot(readiness: nil, generation: token.generation &+ 1)
        free.append(token.slot)
    }

    private func drain() {
        guard let lane else { return }
        lane.turn { serve(lane) }
    }

    private func serve(_ lane: Lane) {
        let end = Instant.now + Self.turnLength
        var count = fetch(waiting: 0)
        var isOver = count == 0
        while !isOver {
            for index in 0..<count {
                lane.clock.hold()
                unsafe report(events[index])
            }
            lane.runLaterWork()
            let left = end - lane.now
            guard left > .zero, !waker.hasWork else { break }
            if lane.hasLaterWork {
                count = fetch(waiting: 0)
            } else if let due = lane.reluctantWorkDue {
                count = awaitEvents(atMost: due - lane.now)
                lane.clock.hold()
                lane.runReluctantWork(at: lane.now)
            } else {
                count = awaitEvents(atMost: left)
                isOver = count == 0
            }
        }
        lane.runReluctantWork(at: end + Self.turnLength)
        lane.runLaterWork()
    }

    /// Waits for events, or for work from other threads, and fetches them.
    private func awaitEvents(atMost time: Duration) -> Int {
        guard waker.descriptor != nil else { return fetch(waiting: 0) }
        guard waker.beginWait() else { return 0 }
        defer { waker.endWait() }
        // No overflow: a turn is short.
        return fetch(waiting: Int32(truncatingIfNeeded: time.nanoseconds / 1_000_000 + 1))
    }

    /// Fetches the next events into `events`, and says how many.
    private func fetch(waiting milliseconds: Int32) -> Int {
        let result = SystemCall {
            // SAFETY: the kernel writes at most `count` events, which the array has.
            unsafe events.withUnsafeMutableBufferPointer { buffer in
                let count = Int32(buffer.count)
                return Int(
                    unsafe epoll_wait(descriptor.number, buffer.baseAddress, count, milliseconds)
                )
            }
        }
        guard case .value(let count) = result else { return 0 }
        return count
    }

    private func report(_ event: epoll_event) {
        let name = unsafe event.data.u64
        let slot = Int(name & 0xFFFF_FFFF)
        guard slot < slots.count, UInt64(slots[slot].generation) == name >> 32,
            let readiness = slots[slot].readiness
        else { return }
        // `readiness` is held here, so that the first callback may drop it.
        let happened = unsafe event.events
        if happened & Self.hangUpEvents != 0 {
            readiness.noteHangUp(isBroken: happened & EPOLLERR.rawValue != 0)
        }
        if happened & EPOLLPRI.rawValue != 0 { readiness.distrustShortReads() }
        if happened & Self.readEvents != 0 { readiness.report(.read) }
        if happened & Self.writeEvents != 0 { readiness.report(.write) }
        if happened & Self.hangUpEvents != 0 {
            readiness.reportHangUp()
        }
    }

    private static let interest =
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLPRI.rawValue
        | EPOLLET.rawValue
    private static let readEvents =
        EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
    private static let hangUpEvents =
        EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
    private static let writeEvents =
        EPOLLOUT.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
}

#endif
