internal import Synchronization
#if os(Linux)
internal import CSystem
internal import Glibc
#endif

/// Work from other threads, and a lane that waits for events: the one ends the wait for the other.
///
/// Whoever queues work counts it before looking whether the lane waits, and the lane says that it
/// waits before looking at the count, so that one of the two always sees the other.
final class LaneWaker: Sendable {
    #if os(Linux)
    /// Becomes readable with each wake; nil if the system has none left.
    let descriptor: Descriptor?
    #endif

    private let pending = Atomic<Int>(0)
    private let isWaiting = Atomic<Bool>(false)

    init() {
        #if os(Linux)
        let result = SystemCall { Int(eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))) }
        if case .value(let number) = result {
            descriptor = Descriptor(owning: Int32(truncatingIfNeeded: number))
        } else {
            descriptor = nil
        }
        #endif
    }

    /// Work is about to be queued.
    func workComes() { pending.wrappingAdd(1, ordering: .sequentiallyConsistent) }

    /// Work has been queued.
    func workWaits() {
        guard isWaiting.exchange(false, ordering: .sequentiallyConsistent) else { return }
        #if os(Linux)
        guard let descriptor else { return }
        // It can only fail when 2^64 wakes have gone unread, and nobody reads them.
        _ = eventfd_write(descriptor.number, 1)
        #endif
    }

    /// Work begins.
    func workBegins() { pending.wrappingSubtract(1, ordering: .sequentiallyConsistent) }

    /// The lane is about to wait; false if it must not, for work is there.
    func beginWait() -> Bool {
        isWaiting.store(true, ordering: .sequentiallyConsistent)
        guard pending.load(ordering: .sequentiallyConsistent) == 0 else {
            isWaiting.store(false, ordering: .relaxed)
            return false
        }
        return true
    }

    func endWait() { isWaiting.store(false, ordering: .relaxed) }

    /// Some work is there.
    var hasWork: Bool { pending.load(ordering: .relaxed) != 0 }
}
