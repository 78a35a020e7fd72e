internal import Transport

/// Whether an address is to be sent requests, judged by what became of the last ones.
///
/// It rests after some failures in a row. When the pause is over one request, and no second, is
/// its trial: if that fails too, the next pause is twice as long. Where addresses are asked for
/// their health, the question is the trial, and no client's request. A pause forgets how long it
/// was once the address has been good for as long again.
///
/// Time is a parameter.
struct EndpointHealth: Equatable, Sendable {
    enum State: Equatable, Sendable {
        case good
        /// Left out; from that moment on it may be tried.
        case resting(until: Instant)
        /// One request is on its way. If nobody hears of it again, another may follow.
        case onTrial(until: Instant)
    }

    /// What an operator is told.
    enum Change: Equatable, Sendable {
        case rests(Duration)
        case returns
    }

    /// The longest pause, in pauses of the settings.
    private static let longestPause = 16

    private(set) var state = State.good
    private var failures = 0
    private var failedChecks = 0
    private var lastPause: Duration?
    private var goodSince = Instant(nanoseconds: 0)

    var isGood: Bool { state == .good }

    /// True if the request that asks is to be the trial; it will be the only one for a pause.
    mutating func claimTrial(at now: Instant, by settings: HealthSettings) -> Bool {
        guard !settings.asks else { return false }
        switch state {
        case .good:
            return false
        case .resting(let until), .onTrial(let until):
            guard now >= until else { return false }
            state = .onTrial(until: now + settings.pause)
            return true
        }
    }

    /// A request got an answer.
    mutating func succeeded(at now: Instant) -> Change? {
        failures = 0
        guard isGood else { return comeBack(at: now) }
        if let pause = lastPause, now - goodSince >= pause { lastPause = nil }
        return nil
    }

    /// A request got none.
    mutating func failed(at now: Instant, by settings: HealthSettings) -> Change? {
        guard let limit = settings.failures else { return nil }
        switch state {
        case .good:
            failures += 1
            return failures >= limit ? rest(at: now, by: settings) : nil
        case .onTrial:
            _ = rest(at: now, by: settings)
            return nil
        case .resting:
            // It was asked because no other was left, which proves nothing new.
            return nil
        }
    }

    /// It was asked for its health, and is well.
    ///
    /// That is no proof against requests that have just failed: their pause goes on.
    mutating func passedCheck(at now: Instant) -> Change? {
        failedChecks = 0
        switch state {
        case .good: return nil
        case .resting(let until), .onTrial(let until): return now >= until ? comeBack(at: now) : nil
        }
    }

    /// It was asked for its health, and is not well: it rests until it is.
    mutating func failedCheck(at now: Instant, by settings: HealthSettings) -> Change? {
        guard let limit = settings.failures, isGood else { return nil }
        failedChecks += 1
        guard failedChecks >= limit else { return nil }
        state = .resting(until: now)
        return .rests(.zero)
    }

    private mutating func rest(at now: Instant, by settings: HealthSettings) -> Change {
        let longest = settings.pause * Self.longestPause
        let pause = lastPause.map { min($0 * 2, longest) } ?? settings.pause
        lastPause = pause
        failures = 0
        state = .resting(until: now + pause)
        return .rests(pause)
    }

    private mutating func comeBack(at now: Instant) -> Change {
        state = .good
        goodSince = now
        failures = 0
        failedChecks = 0
        return .returns
    }
}
