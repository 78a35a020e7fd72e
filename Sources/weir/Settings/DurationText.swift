/// Durations as settings write them: a whole number and a unit, `500ms`, `10s`, `2m`, `1h`.
package enum DurationText {
    /// The duration `text` means, or nil where it is none or would overflow.
    package static func parse(_ text: String) -> Duration? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let count = Int(digits),
            let unit = units.first(where: { $0.name == text.dropFirst(digits.count) })
        else { return nil }
        let (milliseconds, overflows) = count.multipliedReportingOverflow(by: unit.milliseconds)
        return overflows ? nil : .milliseconds(milliseconds)
    }

    /// `duration` in the largest unit that divides it; below a millisecond is cut off.
    package static func text(of duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let rest = attoseconds / 1_000_000_000_000_000
        let (thousands, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows, rest == 0 || thousands < Int64.max - 1000 else { return "\(seconds)s" }
        let milliseconds = Int(thousands + rest)
        guard milliseconds != 0 else { return "0s" }
        for unit in units.reversed() where milliseconds % unit.milliseconds == 0 {
            return "\(milliseconds / unit.milliseconds)\(unit.name)"
        }
        return "\(milliseconds)ms"
    }

    private static let units = [
        (name: "ms", milliseconds: 1),
        (name: "s", milliseconds: 1000),
        (name: "m", milliseconds: 60_000),
        (name: "h", milliseconds: 3_600_000),
    ]
}
