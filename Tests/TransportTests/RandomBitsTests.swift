import Testing
import Transport

@Suite struct RandomBitsTests {
    @Test func noWordComesTwice() {
        var one = RandomBits()
        var other = RandomBits()
        let words = (0..<1_000).flatMap { _ in [one.next(), other.next()] }
        #expect(Set(words).count == words.count)
        // Of 2,000 random words no bit is the same in all.
        #expect(words.reduce(0, |) == .max)
        #expect(words.reduce(.max, &) == 0)
    }
}
