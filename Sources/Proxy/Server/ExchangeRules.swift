internal import Inspection

/// What holds for the requests of one route on one lane, shared by all of them.
///
/// Settings are large and full of references: no request has a copy of its own.
final class ExchangeRules {
    let settings: ProxySettings

    /// The connections to its upstream; nil for the built-in upload API.
    let pool: UpstreamPool?

    let policy: SharedPolicy

    /// The same policy for a request without a body: there is nothing to look at.
    let unseenPolicy: SharedPolicy

    init(_ settings: ProxySettings, pool: UpstreamPool?) {
        self.settings = settings
        self.pool = pool
        policy = SharedPolicy(settings.policy)
        var unseen = settings.policy
        unseen.mode = .off
        unseenPolicy = SharedPolicy(unseen)
    }

    /// The same for a request that goes no further than here.
    func answeredHere() -> ExchangeRules {
        var here = settings
        here.destination = .sink
        return ExchangeRules(here, pool: nil)
    }
}
