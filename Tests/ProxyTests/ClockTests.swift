import Testing
import Transport

@testable import Proxy

/// The small machines over a clock that the test turns.
@Suite struct ClockTests {
    @Test func waitsAddUp() {
        var clock = WaitClock()
        clock.begin(at: 100)
        #expect(clock.total(at: 130) == 30)
        let first = clock.end(at: 150)
        #expect(first == 50)
        #expect(clock.total(at: 500) == 50)
        clock.begin(at: 200)
        let second = clock.end(at: 207)
        #expect(second == 7)
        #expect(clock.totalNanoseconds == 57)
    }

    @Test func aWaitBeginsOnceAndEndsOnce() {
        var clock = WaitClock()
        var waits = [clock.end(at: 10)]
        clock.begin(at: 10)
        clock.begin(at: 20)
        waits += [clock.end(at: 30), clock.end(at: 40)]
        #expect(waits == [0, 20, 0])
        #expect(clock.totalNanoseconds == 20)
    }

    @Test func aClockThatGoesBackAddsNothing() {
        var clock = WaitClock()
        clock.begin(at: 100)
        #expect(clock.total(at: 90) == 0)
        let back = clock.end(at: 90)
        #expect(back == 0)
        // Sums that no clock reaches do not trap.
        for _ in 0..<2 {
            clock.begin(at: 0)
            let all = clock.end(at: .max)
            #expect(all == .max)
        }
    }

    /// The answers to `notes` of so many bytes, each after so many seconds of waiting.
    private func answers(
        _ notes: [(bytes: Int, seconds: UInt64)],
        minimum: Int? = 100
    ) -> [Bool] {
        var watch = RateWatch(minimumBytesPerSecond: minimum)
        return notes.map { watch.note($0.bytes, after: $0.seconds * 1_000_000_000) }
    }

    private static let patience = [Bool](repeating: false, count: 9)

    @Test func aSlowClientIsFoundAfterTenSecondsOfWaiting() {
        let notes = [(bytes: Int, seconds: UInt64)](repeating: (99, 1), count: 10)
        #expect(answers(notes) == Self.patience + [true])
    }

    @Test func theMinimumItselfIsFastEnough() {
        let notes = [(bytes: Int, seconds: UInt64)](repeating: (100, 1), count: 100)
        #expect(!answers(notes).contains(true))
    }

    @Test func aBurstBuysNoPatienceForLater() {
        let slow = [(bytes: Int, seconds: UInt64)](repeating: (1, 1), count: 10)
        #expect(answers([(1_000_000, 10)] + slow) == [false] + Self.patience + [true])
    }

    @Test func timeWeirDoesNotWaitDoesNotCount() {
        let notes = [(bytes: Int, seconds: UInt64)](repeating: (1, 0), count: 1000)
        #expect(!answers(notes).contains(true))
    }

    @Test func withoutAMinimumNobodyIsTooSlow() {
        #expect(answers([(0, 1000), (0, 1000)], minimum: nil) == [false, false])
    }

    @Test func requestIDsAreRandomUUIDs() {
        var seen: Set<String> = []
        var random = RandomBits()
        for _ in 0..<10_000 {
            let id = RequestID.make(from: &random)
            seen.insert(id)
            let groups = id.split(separator: "-", omittingEmptySubsequences: false)
            guard groups.map(\.count) == [8, 4, 4, 4, 12], groups[2].first == "4",
                "89ab".contains(groups[3].first ?? " "),
                id.utf8.allSatisfy({ "0123456789abcdef-".utf8.contains($0) })
            else {
                Issue.record("\(id)")
                return
            }
        }
        #expect(seen.count == 10_000)
    }
}
