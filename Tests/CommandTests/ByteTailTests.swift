import TestSupport
import Testing
import weir

@Suite struct ByteTailTests {
    private static let stream = (0..<200).map { UInt8($0) }

    /// However the stream is cut, and whenever within reach it is asked, the window is the same.
    @Test(arguments: [0, 1, 15, 16, 47, 48, 100, 199, 200])
    func windowIsTheSameForEveryCut(offset: Int) {
        let range = ByteWindow.range(around: offset).clamped(to: 0..<200)
        let expected = ByteWindow(start: range.lowerBound, bytes: Array(Self.stream[range]))
        for cut in cuts(of: Self.stream) {
            var tail = ByteTail()
            var seen = 0
            var isKept = false
            for piece in cut {
                tail.append(piece.span)
                seen += piece.count
                if !isKept, seen >= offset {
                    tail.keep(around: offset)
                    isKept = true
                }
            }
            #expect(tail.window(around: offset) == expected, "cut: \(cut.map(\.count))")
        }
    }

    @Test func memoryIsBoundedAndOldBytesAreGone() {
        var tail = ByteTail()
        let piece = [UInt8](repeating: 7, count: 256 << 10)
        for _ in 0..<8 { tail.append(piece.span) }
        tail.keep(around: 5)
        #expect(tail.window(around: 5)?.bytes.isEmpty ?? true)
        tail.keep(around: 8 * piece.count)
        #expect(tail.window(around: 8 * piece.count)?.bytes == Array(repeating: 7, count: 32))
    }

    @Test func rangesAreWholeRowsAroundTheOffset() {
        #expect(ByteWindow.range(around: 0) == 0..<32)
        #expect(ByteWindow.range(around: 31) == 0..<48)
        #expect(ByteWindow.range(around: 100) == 64..<128)
        #expect(ByteWindow.range(around: .max).count == 64)
        #expect(ByteWindow.range(around: .min) == 0..<32)
    }
}
