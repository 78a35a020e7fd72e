import Audit
import Testing

@Suite struct JSONLineWriterTests {
    @Test func commasStandBetweenMembersAndElements() {
        var line = JSONLineWriter()
        line.beginObject()
        line.beginObject("empty")
        line.endObject()
        line.beginArray("none")
        line.endArray()
        line.beginArray("list")
        line.element("a")
        line.element("[")
        line.beginObject()
        line.member("k", "{")
        line.member("n", -7)
        line.endObject()
        line.endArray()
        line.constant(#""fixed":1"#)
        line.member("yes", true)
        line.endObject()
        line.endLine()
        line.beginObject()
        line.endObject()
        line.endLine()
        let expected = """
            {"empty":{},"none":[],"list":["a","[",{"k":"{","n":-7}],"fixed":1,"yes":true}
            {}

            """
        #expect(String(decoding: line.finish(), as: UTF8.self) == expected)
    }

    @Test func absentValuesAreLeftOut() {
        var line = JSONLineWriter()
        line.beginObject()
        line.member("text", nil as String?)
        line.member("number", nil as Int?)
        line.member("time", milliseconds: nil)
        line.member("there", "")
        line.endObject()
        #expect(String(decoding: line.finish(), as: UTF8.self) == #"{"there":""}"#)
    }

    @Test func aBufferIsContinued() {
        var line = JSONLineWriter(continuing: Array("{}\n".utf8))
        line.beginObject()
        line.member("large", UInt64.max)
        line.endObject()
        let expected = "{}\n{\"large\":18446744073709551615}"
        #expect(String(decoding: line.bytes, as: UTF8.self) == expected)
    }

    static let durations: [(nanoseconds: UInt64, text: String)] = [
        (0, "0.000"), (999, "0.000"), (1_000, "0.001"), (10_000, "0.010"), (100_000, "0.100"),
        (35_123_456, "35.123"), (.max, "18446744073709.551"),
    ]

    @Test(arguments: durations)
    func millisecondsHaveThreeDecimals(_ row: (nanoseconds: UInt64, text: String)) {
        var line = JSONLineWriter()
        line.member("t", milliseconds: row.nanoseconds)
        #expect(String(decoding: line.bytes, as: UTF8.self) == "\"t\":\(row.text)")
    }
}
