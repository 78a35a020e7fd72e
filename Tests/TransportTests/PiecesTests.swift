import Testing
import Transport

@Suite struct PiecesTests {
    /// What is left of "abcde" + "fgh" + "ij" after `count` bytes, whichever steps took them.
    @Test func everyWayOfAdvancingEndsAlike() throws {
        let buffer = try ByteBuffer(capacity: 64)
        let whole = Pieces(
            prefix: Array("xxabcde".utf8),
            from: 2,
            run: 20..<23,
            of: buffer,
            suffix: Array("ij".utf8)
        )
        #expect(whole.count == 10)
        for first in 0...10 {
            for second in 0...10 - first {
                var pieces = whole
                pieces.advance(by: first)
                pieces.advance(by: second)
                #expect(pieces.count == 10 - first - second)
                #expect(pieces.isEmpty == (first + second == 10))
                let ofRun = min(max(first + second - 5, 0), 3)
                #expect(pieces.run == 20 + ofRun..<23)
            }
        }
    }

    @Test func nothingIsEmpty() {
        #expect(Pieces().isEmpty)
        #expect(Pieces(prefix: [1, 2], from: 2).isEmpty)
    }

    @Test func advancingTooFarIsABug() async {
        await #expect(processExitsWith: .failure) {
            var pieces = Pieces(prefix: [1])
            pieces.advance(by: 2)
        }
        await #expect(processExitsWith: .failure) {
            _ = Pieces(prefix: [1], from: 2)
        }
        await #expect(processExitsWith: .failure) {
            _ = Pieces(run: 0..<1)
        }
    }
}
