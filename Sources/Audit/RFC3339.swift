/// Timestamps in UTC as RFC 3339 §5.6 writes them, to the microsecond.
///
///     date-time = full-date "T" partial-time "Z"
///
/// Every instant an `Int64` of nanoseconds can hold lies in the years 1677 to 2262, so a year has
/// four digits and nothing here can overflow. What is finer than a microsecond is cut, towards
/// the past, so that no timestamp is later than its instant.
package enum RFC3339 {
    /// Appends `2026-11-30T22:19:57.123456Z`.
    package static func append(_ nanosecondsSince1970: Int64, to bytes: inout [UInt8]) {
        let instant = Instant(nanosecondsSince1970)
        let date = CivilDate(daysSince1970: instant.day)
        bytes.append(addingCapacity: 27) { output in
            output.append(digits: date.year, count: 4)
            output.append(UInt8(ascii: "-"))
            output.append(digits: date.month, count: 2)
            output.append(UInt8(ascii: "-"))
            output.append(digits: date.day, count: 2)
            output.append(UInt8(ascii: "T"))
            output.append(timeOf: instant)
            output.append(digits: instant.microsecond, count: 6)
            output.append(UInt8(ascii: "Z"))
        }
    }

    /// Appends `22:19:57.123`: the time of day, to the millisecond.
    package static func appendTime(_ nanosecondsSince1970: Int64, to bytes: inout [UInt8]) {
        let instant = Instant(nanosecondsSince1970)
        bytes.append(addingCapacity: 12) { output in
            output.append(timeOf: instant)
            output.append(digits: instant.microsecond / 1_000, count: 3)
        }
    }

    /// `2026-11-30T22:19:57.123456Z` as text.
    package static func text(_ nanosecondsSince1970: Int64) -> String {
        var bytes: [UInt8] = []
        append(nanosecondsSince1970, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// A day, and how far into it.
private struct Instant {
    let day: Int
    let second: Int
    let microsecond: Int

    init(_ nanosecondsSince1970: Int64) {
        let (day, rest) = Int(nanosecondsSince1970).flooredDivision(by: 86_400_000_000_000)
        self.day = day
        second = rest / 1_000_000_000
        microsecond = rest % 1_000_000_000 / 1_000
    }
}

/// A date of the Gregorian calendar.
///
/// The year is counted from March, so that the leap day is the last of its year, and years are
/// counted in eras of 400, each exactly 146,097 days long.
private struct CivilDate {
    let year: Int
    let month: Int
    let day: Int

    init(daysSince1970: Int) {
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        let (era, dayOfEra) = (daysSince1970 + 719_468).flooredDivision(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        // From March on, five months have 153 days: 31, 30, 31, 30, 31.
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }
}

extension Int {
    /// Quotient and remainder with a remainder that is never negative.
    fileprivate func flooredDivision(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}

extension OutputSpan<UInt8> {
    /// Appends hours, minutes, seconds and the dot after them.
    fileprivate mutating func append(timeOf instant: Instant) {
        append(digits: instant.second / 3_600, count: 2)
        append(UInt8(ascii: ":"))
        append(digits: instant.second / 60 % 60, count: 2)
        append(UInt8(ascii: ":"))
        append(digits: instant.second % 60, count: 2)
        append(UInt8(ascii: "."))
    }

    /// Appends the last `count` decimal digits of `value`, with leading zeros.
    fileprivate mutating func append(digits value: Int, count: Int) {
        var divisor = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            append(UInt8(ascii: "0") + UInt8(value / divisor % 10))
            divisor /= 10
        }
    }
}
