import Testing
import weir

@Suite struct HexExcerptTests {
    private func lines(_ text: String, start: Int = 0, at offset: Int) -> [String] {
        HexExcerpt.lines(ByteWindow(start: start, bytes: Array(text.utf8)), caretAt: offset)
    }

    @Test func caretStandsUnderTheByteTwice() {
        #expect(
            lines("--X\nContent-Disposition", at: 3) == [
                "0000  2d 2d 58 0a 43 6f 6e 74  65 6e 74 2d 44 69 73 70  --X.Content-Disp",
                "               ^^                                          ^",
                "0010  6f 73 69 74 69 6f 6e                              osition",
            ]
        )
    }

    /// The caret is under the first digit of its byte, wherever that is.
    @Test(arguments: 0..<40)
    func caretIsUnderEachByte(offset: Int) throws {
        let bytes = (0..<40).map { UInt8($0 + 0x30) }
        let lines = HexExcerpt.lines(ByteWindow(start: 0, bytes: bytes), caretAt: offset)
        let caret = try #require(lines.firstIndex { $0.contains("^") })
        let above = Array(lines[caret - 1])
        let columns = lines[caret].indices.filter { lines[caret][$0] == "^" }
            .map { lines[caret].distance(from: lines[caret].startIndex, to: $0) }
        try #require(columns.count == 3)
        #expect(String(above[columns[0]...columns[1]]) == String(offset + 0x30, radix: 16))
        #expect(above[columns[2]] == Character(UnicodeScalar(UInt8(offset + 0x30))))
    }

    @Test func endOfTheDataIsShownBehindTheLastByte() {
        #expect(lines("ab", at: 2).last == "            ^^ the end")
        #expect(lines("0123456789abcdef", at: 16).suffix(1) == ["      ^^ the end"])
        #expect(lines("", at: 0).last == "      ^^ the end")
    }

    @Test func windowsBeginWhereTheyBegin() {
        let lines = lines("xyz", start: 0x1_2345, at: 0x1_2346)
        let blank = String(repeating: " ", count: 15)
        let right = String(repeating: " ", count: 25)
        #expect(lines[0] == "12340  \(blank)78 79 7a\(right)  " + "     xyz")
        #expect(HexExcerpt.lines(ByteWindow(start: 9, bytes: [1]), caretAt: 3).isEmpty)
    }

    @Test func everyByteIsSafeToPrint() {
        let all = HexExcerpt.lines(ByteWindow(start: 0, bytes: Array(0...255)), caretAt: 0)
        #expect(all.joined().unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
    }
}
