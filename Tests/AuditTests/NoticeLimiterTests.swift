import Audit
import Testing

@Suite struct NoticeLimiterTests {
    @Test func oneNoticePassesInAnInterval() {
        var limiter = NoticeLimiter(intervalNanoseconds: 10)
        let admitted = [0, 1, 9, 10, 19, 20, 35, 44, 45].map { limiter.admits(at: $0) }
        #expect(admitted == [true, false, false, true, false, true, true, false, true])
    }

    @Test func theEndOfTimeIsNoTrap() {
        var limiter = NoticeLimiter(intervalNanoseconds: .max)
        let admitted = [5, .max - 1, .max].map { limiter.admits(at: $0) }
        #expect(admitted == [true, false, true])
    }
}
