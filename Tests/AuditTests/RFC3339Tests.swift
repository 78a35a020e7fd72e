import Audit
import TestSupport
import Testing

@Suite struct RFC3339Tests {
    static let knownInstants: [(seconds: Int64, text: String)] = [
        (0, "1970-01-01T00:00:00.000000Z"),
        (951_782_399, "2000-02-28T23:59:59.000000Z"),
        (951_782_400, "2000-02-29T00:00:00.000000Z"),
        (951_868_800, "2000-03-01T00:00:00.000000Z"),
        (1_709_164_800, "2024-02-29T00:00:00.000000Z"),
        (1_735_689_599, "2024-12-31T23:59:59.000000Z"),
        (1_796_077_197, "2026-11-30T22:19:57.000000Z"),
        (2_147_483_647, "2038-01-19T03:14:07.000000Z"),
        (2_147_483_648, "2038-01-19T03:14:08.000000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000000Z"),
        (4_107_542_400, "2100-03-01T00:00:00.000000Z"),
        (-1, "1969-12-31T23:59:59.000000Z"),
        (-2_203_891_200, "1900-03-01T00:00:00.000000Z"),
    ]

    @Test(arguments: knownInstants)
    func knownInstantsAreWritten(_ row: (seconds: Int64, text: String)) {
        #expect(RFC3339.text(row.seconds * 1_000_000_000) == row.text)
    }

    @Test func fractionsAreCutTowardsThePast() {
        #expect(RFC3339.text(1_999) == "1970-01-01T00:00:00.000001Z")
        #expect(RFC3339.text(-1) == "1969-12-31T23:59:59.999999Z")
        #expect(RFC3339.text(Samples.instant) == "2026-11-30T22:19:57.123456Z")
    }

    @Test func theOutermostInstantsAreWritten() {
        #expect(RFC3339.text(.max) == "2262-04-11T23:47:16.854775Z")
        #expect(RFC3339.text(.min) == "1677-09-21T00:12:43.145224Z")
    }

    @Test func theTimeOfDayHasMilliseconds() {
        var bytes = Array("> ".utf8)
        RFC3339.appendTime(Samples.instant, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == "> 22:19:57.123")
    }

    /// Every day from 1970 to the end of 2261, counted one by one.
    @Test func everyDayFollowsTheDayBefore() {
        var (year, month, day) = (1970, 1, 1)
        var number: Int64 = 0
        while year < 2262 {
            let text = RFC3339.text(number * 86_400_000_000_000)
            let date = "\(year)-\(twoDigits(month))-\(twoDigits(day))"
            guard text == "\(date)T00:00:00.000000Z" else {
                Issue.record("\(text) should be \(date)")
                return
            }
            number += 1
            day += 1
            if day > dayCount(of: month, in: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(number == 106_651)
    }

    private func dayCount(of month: Int, in year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
