internal import Audit
internal import Synchronization
internal import Transport

/// What all addresses report to: the health settings in force, and the operator's ear.
final class UpstreamWatch: Sendable {
    private struct State {
        var health: HealthSettings
        var quota = NoticeQuota()
        var onConnectFailure: (@Sendable (Address) -> Void)?
    }

    private let state: Mutex<State>
    private let tell: @Sendable (String) -> Void

    init(health: HealthSettings, say: @escaping @Sendable (String) -> Void) {
        state = Mutex(State(health: health))
        tell = say
    }

    var health: HealthSettings {
        get { state.withLock { $0.health } }
        set { state.withLock { $0.health = newValue } }
    }

    /// Sets what is done when no connection can be made to an upstream: its name may have moved.
    func onConnectFailure(_ action: @escaping @Sendable (Address) -> Void) {
        state.withLock { $0.onConnectFailure = action }
    }

    func connectFailed(_ upstream: Address) {
        state.withLock { $0.onConnectFailure }?(upstream)
    }

    /// Tells the operator, unless so much was told just before that nobody could read it.
    func say(_ sentence: String) {
        let verdict = state.withLock { $0.quota.admit(at: .now) }
        guard let unsaid = verdict else { return }
        if unsaid > 0 { tell("\(unsaid) more changes of upstreams went unsaid") }
        tell(sentence)
    }
}
