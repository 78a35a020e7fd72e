#if os(Linux)
internal import CSystem
internal import Dispatch

/// The `epoll` descriptor of one lane, emptied on the lane's own queue.
///
/// Dispatch watches only this one descriptor. When it wakes the lane, the loop takes events until
/// there are none: one wake of the queue, and one re-arming by Dispatch, serve all that are ready.
/// An `epoll` descriptor never hangs up, and Dispatch on Linux is safe with no other kind (see
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

    /// After so many rounds other work of the lane gets its turn; Dispatch wakes the loop again.
    private static let maximumRounds = 8

    private let descriptor: Descriptor
    private let source: any DispatchSourceRead
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var events = unsafe [epoll_event](repeating: epoll_event(), count: 128)

    init(on queue: DispatchQueue) throws(TransportError) {
        let number = try SystemCall { Int(epoll_create1(Int32(EPOLL_CLOEXEC))) }
            .value(of: .register)
        descriptor = Descriptor(owning: Int32(truncatingIfNeeded: number))
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor.number, queue: queue)
        source.setEventHandler { [weak self] in self?.drain() }
        source.setCancelHandler { [descriptor] in withExtendedLifetime(descriptor) {} }
        source.activate()
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
        var event = unsafe epoll_event()
        unsafe event.events = Self.interest
        unsafe event.data.u64 = UInt64(token.generation) << 32 | UInt64(token.slot)
        let result = SystemCall {
            Int(unsafe epoll_ctl(descriptor.number, EPOLL_CTL_ADD, watched.number, &event))
        }
        do {
            _ = try result.value(of: .register)
        } catch {
            free.append(slot)
            throw error
        }
        slots[Int(slot)].readiness = readiness
        return token
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
        for _ in 0..<Self.maximumRounds {
            let count = fetch()
            if count == 0 { return }
            for index in 0..<count { unsafe report(events[index]) }
        }
    }

    /// Fetches the next events into `events` without waiting, and says how many.
    private func fetch() -> Int {
        let result = SystemCall {
            // SAFETY: the kernel writes at most `count` events, which the array has.
            unsafe events.withUnsafeMutableBufferPointer { buffer in
                let count = Int32(buffer.count)
                return Int(unsafe epoll_wait(descriptor.number, buffer.baseAddress, count, 0))
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
        if happened & Self.readEvents != 0 { readiness.report(.read) }
        if happened & Self.writeEvents != 0 { readiness.report(.write) }
        if happened & Self.hangUpEvents != 0 {
            readiness.reportHangUp(isBroken: happened & EPOLLERR.rawValue != 0)
        }
    }

    private static let interest =
        EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
    private static let readEvents =
        EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
    private static let hangUpEvents =
        EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
    private static let writeEvents =
        EPOLLOUT.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
}

#endif
