/// Lets a notice pass at most once in an interval, however often its cause occurs.
///
/// Time is a parameter: nanoseconds of a clock that never goes back.
package struct NoticeLimiter: Sendable {
    private let intervalNanoseconds: UInt64
    private var admitsFrom: UInt64 = 0

    package init(intervalNanoseconds: UInt64) {
        self.intervalNanoseconds = intervalNanoseconds
    }

    /// True if a notice may be given now; the interval then begins anew.
    package mutating func admits(at now: UInt64) -> Bool {
        guard now >= admitsFrom else { return false }
        let (next, overflows) = now.addingReportingOverflow(intervalNanoseconds)
        admitsFrom = overflows ? .max : next
        return true
    }
}
