/// A moment at which something must have happened, moved as often as wanted at next to no cost.
///
/// Moving it later, the usual case of a timeout that each byte pushes on, writes one field: the
/// wheel notices when it comes to the old moment. It is coarse: it expires up to two ticks late
/// (see `DeadlineWheel.tick`), and never early. While it is set the wheel holds it, so its
/// closure should hold its owner weakly.
package final class Deadline {
    private let wheel: DeadlineWheel
    private let expire: () -> Void

    /// When it expires, in nanoseconds; `UInt64.max` while it is clear.
    private(set) var due = UInt64.max

    /// Where the wheel keeps it, or nil; the wheel's business.
    var node: Int?

    /// The wheel looks at it soon enough for any `due` after this; the wheel's business.
    var lookedAtAfter: UInt64 = 0

    package init(on wheel: DeadlineWheel, expire: @escaping () -> Void) {
        self.wheel = wheel
        self.expire = expire
    }

    package var isSet: Bool { due != .max }

    /// Expires at `instant`, and no longer at the moment it was set to before.
    package func set(at instant: Instant) {
        due = min(instant.nanoseconds, .max - 1)
        if node != nil {
            if due > lookedAtAfter { return }
            wheel.remove(self)
        }
        wheel.place(self)
    }

    /// Expires when `duration` has passed.
    package func set(after duration: Duration) {
        set(at: wheel.clock.now + duration)
    }

    /// No longer expires.
    package func clear() {
        due = .max
        if node != nil { wheel.remove(self) }
    }

    /// Expires now, if it is still due: what expired just before may have moved or cleared it.
    func expire(ifDueAt now: UInt64) {
        guard due <= now else { return }
        due = .max
        expire()
    }
}
