import Testing
import Transport

@testable import Proxy

/// When an address is left out, for how long, and how it comes back.
@Suite struct EndpointHealthTests {
    private var settings: HealthSettings {
        var settings = HealthSettings()
        settings.failures = 3
        settings.pause = .seconds(10)
        return settings
    }

    private var asking: HealthSettings {
        var settings = settings
        settings.path = "/"
        return settings
    }

    private func at(_ seconds: UInt64) -> Instant {
        Instant(nanoseconds: 1_000_000_000_000 + seconds * 1_000_000_000)
    }

    /// An address that has just been left out for the first time, at second 0.
    private var rested: EndpointHealth {
        var health = EndpointHealth()
        for _ in 0..<3 { _ = health.failed(at: at(0), by: settings) }
        return health
    }

    @Test func onlyFailuresInARowCount() {
        var health = EndpointHealth()
        #expect(health.failed(at: at(0), by: settings) == nil)
        #expect(health.failed(at: at(0), by: settings) == nil)
        #expect(health.succeeded(at: at(0)) == nil)
        #expect(health.failed(at: at(0), by: settings) == nil)
        #expect(health.failed(at: at(0), by: settings) == nil)
        #expect(health.isGood)
        #expect(health.failed(at: at(1), by: settings) == .rests(.seconds(10)))
        #expect(health.state == .resting(until: at(11)))
    }

    @Test func nothingIsLeftOutWhereThatIsOff() {
        var settings = settings
        settings.failures = nil
        var health = EndpointHealth()
        for second in 0..<100 { _ = health.failed(at: at(UInt64(second)), by: settings) }
        #expect(health.isGood)
    }

    @Test func afterThePauseOneRequestIsTheTrial() {
        var health = rested
        #expect(health.claimTrial(at: at(9), by: settings) == false)
        #expect(health.claimTrial(at: at(10), by: settings) == true)
        #expect(health.claimTrial(at: at(10), by: settings) == false)
        #expect(health.claimTrial(at: at(19), by: settings) == false)
        #expect(health.succeeded(at: at(12)) == .returns)
        #expect(health.isGood)
    }

    @Test func aTrialThatNobodyHearsOfIsFollowedByAnother() {
        var health = rested
        #expect(health.claimTrial(at: at(10), by: settings) == true)
        #expect(health.claimTrial(at: at(20), by: settings) == true)
    }

    @Test func pausesGrowUpToABound() {
        var health = rested
        var now: UInt64 = 10
        for pause: UInt64 in [20, 40, 80, 160, 160, 160] {
            #expect(health.claimTrial(at: at(now), by: settings) == true)
            // Going on like this is no news.
            #expect(health.failed(at: at(now), by: settings) == nil)
            #expect(health.state == .resting(until: at(now + pause)))
            now += pause
        }
    }

    @Test func aPauseIsForgottenAfterAGoodTimeAsLong() {
        for (second, next): (UInt64, Duration) in [(19, .seconds(20)), (20, .seconds(10))] {
            var health = rested
            #expect(health.claimTrial(at: at(10), by: settings) == true)
            #expect(health.succeeded(at: at(10)) == .returns)
            #expect(health.succeeded(at: at(second)) == nil)
            var change: EndpointHealth.Change?
            for _ in 0..<3 { change = health.failed(at: at(second), by: settings) }
            #expect(change == .rests(next))
        }
    }

    /// Used because all others rest too.
    @Test func whatIsTriedAllTheSameProvesOnlyGood() {
        var health = rested
        #expect(health.failed(at: at(5), by: settings) == nil)
        #expect(health.state == .resting(until: at(10)))
        #expect(health.succeeded(at: at(5)) == .returns)
    }

    @Test func whereItIsAskedNoRequestIsATrial() {
        var health = rested
        #expect(health.claimTrial(at: at(100), by: asking) == false)
        // Requests failed a moment ago, whatever it says of itself.
        #expect(health.passedCheck(at: at(9)) == nil)
        #expect(health.passedCheck(at: at(10)) == .returns)
    }

    @Test func failedChecksInARowLeaveItOutUntilOnePasses() {
        var health = EndpointHealth()
        #expect(health.failedCheck(at: at(0), by: asking) == nil)
        #expect(health.failedCheck(at: at(1), by: asking) == nil)
        #expect(health.passedCheck(at: at(2)) == nil)
        #expect(health.failedCheck(at: at(3), by: asking) == nil)
        // Requests that succeed do not speak for checks, nor checks for requests.
        #expect(health.succeeded(at: at(3)) == nil)
        #expect(health.failedCheck(at: at(4), by: asking) == nil)
        #expect(health.failedCheck(at: at(5), by: asking) == .rests(.zero))
        #expect(health.failedCheck(at: at(6), by: asking) == nil)
        #expect(!health.isGood)
        #expect(health.passedCheck(at: at(7)) == .returns)
    }

    @Test func noticesHaveAQuota() {
        var quota = NoticeQuota()
        let first = (0..<25).map { _ in quota.admit(at: at(0)) }
        #expect(first == Array(repeating: 0, count: 20) + Array(repeating: nil, count: 5))
        #expect(quota.admit(at: at(10)) == 5)
        #expect(quota.admit(at: at(10)) == 0)
    }
}
