/// Finds clients that keep an upload open by sending almost nothing.
///
/// Only time spent waiting for the client counts. After each ten seconds of it the bytes received
/// meanwhile are compared with the minimum, and the window begins anew: a burst at the start buys
/// no patience for later.
struct RateWatch {
    private static let windowNanoseconds: UInt64 = 10_000_000_000

    private let minimumBytesPerSecond: Int?
    private var waited: UInt64 = 0
    private var bytes = 0

    init(minimumBytesPerSecond: Int?) {
        self.minimumBytesPerSecond = minimumBytesPerSecond
    }

    /// Notes that `count` bytes came after a wait of `nanoseconds`; true if the client is too slow.
    mutating func note(_ count: Int, after nanoseconds: UInt64) -> Bool {
        guard let minimum = minimumBytesPerSecond else { return false }
        waited &+= nanoseconds
        bytes += count
        guard waited >= Self.windowNanoseconds else { return false }
        let isTooSlow = Double(bytes) < Double(minimum) * Double(waited) / 1e9
        waited = 0
        bytes = 0
        return isTooSlow
    }
}
