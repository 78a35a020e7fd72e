/// Adds up the time an exchange spends waiting for one of its peers.
///
/// A wait begins when Weir can do nothing but wait for that peer, and ends when the peer moves: a
/// slow upstream is never blamed on the client, nor the other way round.
struct WaitClock {
    private var since: UInt64?
    private(set) var totalNanoseconds: UInt64 = 0

    /// True while the peer is being waited for.
    var isRunning: Bool { since != nil }

    mutating func begin(at now: UInt64) {
        if since == nil { since = now }
    }

    /// Ends the wait, and returns how long it was.
    @discardableResult
    mutating func end(at now: UInt64) -> UInt64 {
        guard let begun = since else { return 0 }
        since = nil
        let waited = now >= begun ? now - begun : 0
        totalNanoseconds &+= waited  // wraps after 584 years of waiting
        return waited
    }

    /// The total so far, a wait that is still going on included.
    func total(at now: UInt64) -> UInt64 {
        guard let since, now >= since else { return totalNanoseconds }
        return totalNanoseconds &+ (now - since)
    }
}
