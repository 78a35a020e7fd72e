internal import Audit
internal import Dispatch
internal import Synchronization

/// Tells the operator what the system refuses the proxy, now and then and never on a lane.
final class TroubleNotices: Sendable {
    /// A trouble that lasts is said this often.
    private static let intervalNanoseconds: UInt64 = 10_000_000_000

    private let limiter = Mutex(NoticeLimiter(intervalNanoseconds: intervalNanoseconds))
    private let queue = DispatchQueue(label: "weir.troubles", qos: .utility)
    private let say: @Sendable (String) -> Void

    init(say: @escaping @Sendable (String) -> Void) {
        self.say = say
    }

    func note(_ sentence: @autoclosure () -> String) {
        let now = DispatchTime.now().uptimeNanoseconds
        guard limiter.withLock({ $0.admits(at: now) }) else { return }
        let sentence = sentence()
        queue.async { self.say(sentence) }
    }
}
