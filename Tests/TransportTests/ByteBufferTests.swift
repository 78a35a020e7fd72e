import Testing
import Transport

@Suite struct ByteBufferTests {
    private func fill(_ buffer: ByteBuffer, _ range: Range<Int>, from first: UInt8) {
        buffer.withMutableBytes(range) { span in
            for index in span.indices { span[index] = first &+ UInt8(truncatingIfNeeded: index) }
        }
    }

    private func bytes(of buffer: ByteBuffer, _ range: Range<Int>) -> [UInt8] {
        buffer.withBytes(range) { span in span.indices.map { span[$0] } }
    }

    @Test func lendsWhatWasWritten() throws {
        let buffer = try ByteBuffer(capacity: 4096)
        fill(buffer, 10..<20, from: 1)
        #expect(bytes(of: buffer, 9..<21) == [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0])
        #expect(bytes(of: buffer, 4096..<4096) == [])
    }

    @Test(arguments: [(0..<8, 4), (4..<12, 0), (0..<8, 0), (0..<0, 16), (3..<16, 3)])
    func movesEvenWhereItOverlaps(_ range: Range<Int>, _ position: Int) throws {
        let buffer = try ByteBuffer(capacity: 16)
        fill(buffer, 0..<16, from: 100)
        var expected = (0..<16).map { UInt8(100 + $0) }
        let moved = expected[range]
        expected.replaceSubrange(position..<position + range.count, with: moved)
        buffer.move(range, to: position)
        #expect(bytes(of: buffer, 0..<16) == expected)
    }

    @Test func aRangeOutsideIsABug() async {
        await #expect(processExitsWith: .failure) {
            try ByteBuffer(capacity: 16).withBytes(0..<17) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            try ByteBuffer(capacity: 16).withMutableBytes(-1..<3) { _ in }
        }
        await #expect(processExitsWith: .failure) {
            try ByteBuffer(capacity: 16).move(0..<16, to: 1)
        }
        await #expect(processExitsWith: .failure) {
            try ByteBuffer(capacity: 16).move(0..<1, to: .min)
        }
    }

    @Test func whatCannotBeMappedIsAnError() {
        let error = #expect(throws: TransportError.self) { try ByteBuffer(capacity: .max) }
        #expect(error?.operation == .allocate)
        #expect(error?.isExhaustion == true)
    }
}
