#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A point in monotonic time: it never jumps, and says nothing about the hour of the day.
///
/// Arithmetic saturates, so that a timeout read from a configuration can never overflow.
package struct Instant: Comparable, Hashable, Sendable {
    /// Nanoseconds since some fixed moment before this process began.
    package let nanoseconds: UInt64

    package init(nanoseconds: UInt64) {
        self.nanoseconds = nanoseconds
    }

    /// This moment, by the clock that does not jump.
    package static var now: Instant {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        // A monotonic clock is never negative, and reaches 2^64 ns after 584 years.
        return Instant(nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
    }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// The moment `duration` later; a negative duration counts as none.
    package static func + (instant: Instant, duration: Duration) -> Instant {
        let (sum, overflow) = instant.nanoseconds.addingReportingOverflow(duration.nanoseconds)
        return Instant(nanoseconds: overflow ? .max : sum)
    }

    /// How long after `earlier` this moment is; zero if it is not.
    package static func - (later: Instant, earlier: Instant) -> Duration {
        guard later > earlier else { return .zero }
        return .nanoseconds(Int64(clamping: later.nanoseconds - earlier.nanoseconds))
    }
}

extension Duration {
    /// Whole nanoseconds, saturating; none for a negative duration.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, carry) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
        return overflow || carry ? .max : sum
    }
}
