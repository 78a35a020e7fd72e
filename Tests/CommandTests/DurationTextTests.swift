import Testing
import weir

@Suite struct DurationTextTests {
    static let rows: [(String, Duration?)] = [
        ("10s", .seconds(10)),
        ("500ms", .milliseconds(500)),
        ("2m", .seconds(120)),
        ("1h", .seconds(3600)),
        ("0s", .zero),
        ("007s", .seconds(7)),
        ("", nil),
        ("s", nil),
        ("10", nil),
        ("10 s", nil),
        ("10S", nil),
        ("1.5s", nil),
        ("-1s", nil),
        ("+1s", nil),
        ("1d", nil),
        ("1s ", nil),
        ("٣s", nil),
        ("9223372036854775807ms", .milliseconds(Int.max)),
        ("9223372036854775807s", nil),
        ("9223372036854775808ms", nil),
        ("99999999999999999999999999h", nil),
    ]

    @Test(arguments: rows)
    func reads(_ text: String, _ expected: Duration?) {
        #expect(DurationText.parse(text) == expected)
    }

    static let texts = [
        "0s", "1ms", "999ms", "1s", "1500ms", "59s", "1m", "90s", "1h", "25h", "61m",
    ]

    @Test(arguments: texts)
    func writesWhatItReads(_ text: String) throws {
        let duration = try #require(DurationText.parse(text))
        #expect(DurationText.text(of: duration) == text)
    }

    @Test func extremesAreNoTrap() {
        let extreme = Duration(
            secondsComponent: .max,
            attosecondsComponent: 999_999_999_999_999_999
        )
        #expect(DurationText.text(of: extreme) == "9223372036854775807s")
    }
}
