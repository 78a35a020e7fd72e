internal import Transport

/// Lets so many notices pass in a while, and counts those it keeps back.
///
/// Time is a parameter.
struct NoticeQuota: Equatable, Sendable {
    private static let most = 20
    private static let span = Duration.seconds(10)

    private var spanEnd = Instant(nanoseconds: 0)
    private var told = 0
    private var untold = 0

    /// How many were kept back before this one; nil if it is kept back itself.
    mutating func admit(at now: Instant) -> Int? {
        if now >= spanEnd {
            spanEnd = now + Self.span
            told = 0
        }
        guard told < Self.most else {
            untold += 1
            return nil
        }
        told += 1
        defer { untold = 0 }
        return untold
    }
}
