internal import Synchronization

/// What all lanes share: a few numbers, and the way to the operator.
final class SharedCounters: Sendable {
    /// Connections turned away at a time that may linger, beyond the limit of connections.
    static let lingeringLimit = 128

    let troubles: TroubleNotices

    private let connections = Atomic<Int>(0)
    private let lingering = Atomic<Int>(0)

    init(troubles: TroubleNotices) {
        self.troubles = troubles
    }

    /// Counts one more connection, unless there are `limit` already.
    func admitConnection(limit: Int) -> Bool { Self.admit(connections, limit) }

    func releaseConnection() { connections.wrappingSubtract(1, ordering: .relaxed) }

    /// Counts one more connection that was turned away and lingers, unless there are enough.
    func admitLingering() -> Bool { Self.admit(lingering, Self.lingeringLimit) }

    func releaseLingering() { lingering.wrappingSubtract(1, ordering: .relaxed) }

    private static func admit(_ count: borrowing Atomic<Int>, _ limit: Int) -> Bool {
        let before = count.wrappingAdd(1, ordering: .relaxed).oldValue
        guard before < limit else {
            count.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        return true
    }
}
