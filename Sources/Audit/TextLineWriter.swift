/// Writes readable lines: words, quoted values, sizes and durations, with a space between.
///
/// Untrusted values are escaped so that a line stays one line, and does to a terminal nothing but
/// show.
package struct TextLineWriter: Sendable {
    package private(set) var bytes: [UInt8]

    /// Continues `bytes`, which are empty or end with a line end.
    package init(continuing bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// Gives the buffer back.
    package consuming func finish() -> [UInt8] { bytes }

    package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    /// Begins a line that belongs to another one.
    package mutating func indent() { bytes.append(UInt8(ascii: " ")) }

    package mutating func timeOfDay(_ nanosecondsSince1970: Int64) {
        separate()
        RFC3339.appendTime(nanosecondsSince1970, to: &bytes)
    }

    /// A value without quotation marks, or "-" where there is none.
    package mutating func word(_ value: String?, atMost limit: Int = .max) {
        separate()
        let value = value ?? ""
        bytes.append(escaping: value.isEmpty ? "-" : value, atMost: limit, as: .bare)
    }

    /// Text of our own, written as it is.
    package mutating func phrase(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
    }

    package mutating func quoted(_ value: String, atMost limit: Int) {
        separate()
        bytes.append(escaping: value, atMost: limit, as: .quoted)
    }

    package mutating func number(_ value: Int) {
        separate()
        bytes.append(decimal: value)
    }

    /// A number and what it counts: `1 part`, `2 parts`.
    package mutating func count(_ value: Int, _ noun: String) {
        number(value)
        phrase(noun)
        if value != 1 { bytes.append(UInt8(ascii: "s")) }
    }

    /// A size in B, kB, MB or GB, cut to one decimal.
    package mutating func size(_ value: Int) {
        switch value {
        case ..<1_000: amount(value, per: 1, unit: "B")
        case ..<1_000_000: amount(value, per: 1_000, unit: "kB")
        case ..<1_000_000_000: amount(value, per: 1_000_000, unit: "MB")
        default: amount(value, per: 1_000_000_000, unit: "GB")
        }
    }

    /// A duration in milliseconds, or in seconds from one second on, cut.
    package mutating func duration(nanoseconds: UInt64) {
        let microseconds = Int(nanoseconds / 1_000)  // below 2^54
        switch microseconds {
        case ..<10_000: amount(microseconds, per: 1_000, unit: "ms")
        case ..<1_000_000: amount(microseconds / 1_000, per: 1, unit: "ms")
        default: amount(microseconds, per: 1_000_000, unit: "s")
        }
    }

    /// A number in a unit, cut to one decimal unless the unit is the number's own.
    private mutating func amount(_ value: Int, per unitSize: Int, unit: String) {
        number(value / unitSize)
        if unitSize > 1 {
            bytes.append(UInt8(ascii: "."))
            bytes.append(decimal: value / (unitSize / 10) % 10)
        }
        phrase(unit)
    }

    private mutating func separate() {
        guard let last = bytes.last, last != UInt8(ascii: "\n") else { return }
        bytes.append(UInt8(ascii: " "))
    }
}
