internal import Synchronization

/// The few numbers all lanes share.
final class SharedCounters: Sendable {
    private let connections = Atomic<Int>(0)

    /// Counts one more connection, unless there are `limit` already.
    func admitConnection(limit: Int) -> Bool {
        let before = connections.wrappingAdd(1, ordering: .relaxed).oldValue
        guard before < limit else {
            connections.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        return true
    }

    func releaseConnection() {
        connections.wrappingSubtract(1, ordering: .relaxed)
    }
}
