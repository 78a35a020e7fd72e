import TestSupport
import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct DeadlineWheelTests {
    /// A wheel whose time the test moves, and what expired on it.
    final class Fixture {
        let wheel = DeadlineWheel()
        var expired: [Int] = []
        private(set) var deadlines: [Deadline] = []

        init(count: Int) {
            for name in 0..<count {
                deadlines.append(Deadline(on: wheel) { [unowned self] in expired.append(name) })
            }
        }

        /// Moves time to `milliseconds` and says what expired.
        func advance(_ milliseconds: UInt64) -> [Int] {
            expired = []
            wheel.advance(to: at(milliseconds))
            return expired
        }

        func at(_ milliseconds: UInt64) -> Instant {
            Instant(nanoseconds: milliseconds * 1_000_000)
        }
    }

    @Test func theEarliestExpiresFirst() {
        let fixture = Fixture(count: 4)
        for (deadline, time) in zip(fixture.deadlines, [300, 101, 120, 7000] as [UInt64]) {
            deadline.set(at: fixture.at(time))
        }
        #expect(fixture.advance(100) == [])
        #expect(fixture.advance(350) == [1, 2, 0])
        #expect(fixture.advance(6_999) == [])
        #expect(fixture.advance(7_000) == [3])
        #expect(fixture.wheel.count == 0)
    }

    @Test func nothingExpiresEarlyOrMoreThanATickLate() {
        let fixture = Fixture(count: 1)
        for due in stride(from: 1 as UInt64, through: 400, by: 7) {
            let start = due * 1_000
            fixture.wheel.advance(to: fixture.at(start))
            fixture.deadlines[0].set(at: fixture.at(start + due))
            for time in start..<start + due { #expect(fixture.advance(time) == []) }
            let late = (start + due...start + due + 50).flatMap { fixture.advance($0) }
            #expect(late == [0])
        }
    }

    @Test func movingLaterAndEarlier() {
        let fixture = Fixture(count: 1)
        let deadline = fixture.deadlines[0]
        deadline.set(at: fixture.at(100))
        deadline.set(at: fixture.at(500))
        #expect(fixture.wheel.count == 1)
        #expect(fixture.advance(450) == [])
        #expect(deadline.isSet)
        #expect(fixture.advance(500) == [0])
        #expect(!deadline.isSet)
        deadline.set(at: fixture.at(5_000))
        deadline.set(at: fixture.at(600))
        #expect(fixture.advance(600) == [0])
        #expect(fixture.advance(6_000) == [])
    }

    @Test func clearingIsFinalUntilItIsSetAgain() {
        let fixture = Fixture(count: 2)
        fixture.deadlines[0].set(at: fixture.at(100))
        fixture.deadlines[1].set(at: fixture.at(100))
        fixture.deadlines[0].clear()
        fixture.deadlines[0].clear()
        #expect(fixture.wheel.count == 1)
        #expect(fixture.advance(200) == [1])
        fixture.deadlines[0].set(at: fixture.at(300))
        #expect(fixture.advance(300) == [0])
    }

    @Test func whatIsPastExpiresAtTheNextTick() {
        let fixture = Fixture(count: 1)
        #expect(fixture.advance(10_000) == [])
        fixture.deadlines[0].set(at: fixture.at(3))
        #expect(fixture.advance(10_050) == [0])
    }

    @Test func farAwayIsFurtherThanOneTurn() {
        let fixture = Fixture(count: 2)
        fixture.deadlines[0].set(at: fixture.at(200_000))
        fixture.deadlines[1].set(at: Instant(nanoseconds: .max))
        for time in stride(from: 50 as UInt64, to: 200_000, by: 50) {
            #expect(fixture.advance(time) == [])
        }
        #expect(fixture.advance(200_000) == [0])
        #expect(fixture.deadlines[1].isSet)
    }

    @Test func aLongSleepMissesNothing() {
        let fixture = Fixture(count: 3)
        for (index, time) in [100, 60_000, 10_000_000].enumerated() {
            fixture.deadlines[index].set(at: fixture.at(UInt64(time)))
        }
        #expect(fixture.advance(9_000_000) == [0, 1])
        #expect(fixture.advance(10_000_000) == [2])
    }

    @Test func whatExpiresMaySetAndClearOthers() {
        let wheel = DeadlineWheel()
        var order: [String] = []
        let victim = Deadline(on: wheel) { order.append("victim") }
        let moved = Deadline(on: wheel) { order.append("moved") }
        let repeated = Deadline(on: wheel) { order.append("first") }
        let second = Deadline(on: wheel) {
            order.append("second")
            victim.clear()
            moved.set(at: Instant(nanoseconds: 1_000_000_000))
        }
        repeated.set(at: Instant(nanoseconds: 1_000_000))
        second.set(at: Instant(nanoseconds: 2_000_000))
        victim.set(at: Instant(nanoseconds: 3_000_000))
        moved.set(at: Instant(nanoseconds: 4_000_000))
        wheel.advance(to: Instant(nanoseconds: 50_000_000))
        #expect(order == ["first", "second"])
        wheel.advance(to: Instant(nanoseconds: 1_000_000_000))
        #expect(order == ["first", "second", "moved"])
        #expect(wheel.count == 0)
    }

    @Test func aClearedDeadlineIsLetGo() {
        let wheel = DeadlineWheel()
        weak var held: Deadline?
        do {
            let deadline = Deadline(on: wheel) {}
            deadline.set(at: Instant(nanoseconds: 1_000_000_000))
            deadline.clear()
            held = deadline
        }
        #expect(held == nil)
    }

    /// Against a list of due times that is searched from end to end.
    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func behavesLikeAList(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let fixture = Fixture(count: 50)
        var due = [UInt64?](repeating: nil, count: 50)
        var now: UInt64 = 0
        for _ in 0..<3_000 {
            let name = Int.random(in: 0..<50, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                fixture.deadlines[name].clear()
                due[name] = nil
            case 1..<7:
                let time = now + UInt64.random(in: 0...70_000, using: &random)
                fixture.deadlines[name].set(at: fixture.at(time))
                due[name] = time
            default:
                now = (now / 50 + UInt64.random(in: 1...40, using: &random)) * 50
                let expected = due.indices.filter { due[$0].map { $0 <= now } ?? false }
                #expect(fixture.advance(now).sorted() == expected)
                for name in expected { due[name] = nil }
            }
            #expect(fixture.wheel.count == due.count { $0 != nil })
        }
    }

    @Test func aLaneTicksWhenItHasTo() async {
        let lane = Lane(label: "lane")
        // Twice: the ticker stops in between, and must start again.
        for _ in 0..<2 {
            let start = Instant.now
            await withCheckedContinuation { continuation in
                lane.run {
                    Deadline(on: lane.deadlines) { continuation.resume() }
                        .set(after: .milliseconds(60))
                }
            }
            #expect(Instant.now - start >= .milliseconds(60))
            await lane.settle()
        }
    }
}
