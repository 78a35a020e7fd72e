import Testing
import Transport

@Suite struct InstantTests {
    static let durations: [(Duration, UInt64)] = [
        (.zero, 0),
        (.nanoseconds(1), 1),
        (.milliseconds(1500), 1_500_000_000),
        (.seconds(18_446_744_073), 18_446_744_073_000_000_000),
        (.seconds(18_446_744_074), .max),
        (.seconds(Int64.max), .max),
        (.seconds(-1), 0),
        (.nanoseconds(-1), 0),
    ]

    @Test(arguments: durations)
    func countsNanoseconds(_ duration: Duration, _ expected: UInt64) {
        #expect(duration.nanoseconds == expected)
    }

    @Test func arithmeticSaturates() {
        let start = Instant(nanoseconds: 1_000)
        #expect(start + .nanoseconds(5) == Instant(nanoseconds: 1_005))
        #expect(start + .seconds(Int64.max) == Instant(nanoseconds: .max))
        #expect(start + .seconds(-9) == start)
        #expect(start - Instant(nanoseconds: 400) == .nanoseconds(600))
        #expect(Instant(nanoseconds: 400) - start == .zero)
        #expect(Instant(nanoseconds: .max) - start == .nanoseconds(Int64.max))
    }

    @Test func timeDoesNotRunBackwards() {
        let first = Instant.now
        #expect(first.nanoseconds > 0)
        #expect(Instant.now >= first)
    }
}
