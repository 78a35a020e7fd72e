import Audit
import Testing

@Suite struct TextLineWriterTests {
    static let sizes: [(bytes: Int, text: String)] = [
        (0, "0 B"), (1, "1 B"), (999, "999 B"), (1_000, "1.0 kB"), (1_999, "1.9 kB"),
        (999_999, "999.9 kB"), (1_000_000, "1.0 MB"), (1_234_567, "1.2 MB"),
        (2_500_000_000, "2.5 GB"), (.max, "9223372036.8 GB"), (-1, "-1 B"),
    ]

    @Test(arguments: sizes)
    func sizesHaveOneDecimal(_ row: (bytes: Int, text: String)) {
        var line = TextLineWriter()
        line.size(row.bytes)
        #expect(String(decoding: line.bytes, as: UTF8.self) == row.text)
    }

    static let durations: [(nanoseconds: UInt64, text: String)] = [
        (0, "0.0 ms"), (450_000, "0.4 ms"), (9_999_999, "9.9 ms"), (10_000_000, "10 ms"),
        (999_999_999, "999 ms"), (1_000_000_000, "1.0 s"), (61_500_000_000, "61.5 s"),
        (.max, "18446744073.7 s"),
    ]

    @Test(arguments: durations)
    func durationsChooseTheirUnit(_ row: (nanoseconds: UInt64, text: String)) {
        var line = TextLineWriter()
        line.duration(nanoseconds: row.nanoseconds)
        #expect(String(decoding: line.bytes, as: UTF8.self) == row.text)
    }

    @Test func valuesHaveOneSpaceBetween() {
        var line = TextLineWriter(continuing: Array("before\n".utf8))
        line.word("a b")
        line.word(nil)
        line.word("")
        line.quoted("c \"d\"", atMost: 10)
        line.count(1, "part")
        line.count(0, "part")
        line.endLine()
        let expected = "before\na\\u{20}b - - \"c \\\"d\\\"\" 1 part 0 parts\n"
        #expect(String(decoding: line.finish(), as: UTF8.self) == expected)
    }
}
