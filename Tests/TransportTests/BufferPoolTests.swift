import Testing
import Transport

@Suite struct BufferPoolTests {
    @Test func theLastOneBackIsTheFirstOneOut() throws {
        let pool = BufferPool(bufferCapacity: 4096, maximumFree: 4)
        let (first, second) = (try pool.take(), try pool.take())
        pool.give(first)
        pool.give(second)
        #expect(try pool.take() === second)
        #expect(try pool.take() === first)
        #expect(try pool.take() !== first)
        #expect(first.capacity == 4096)
    }

    @Test func keepsNoMoreThanItMay() throws {
        let pool = BufferPool(bufferCapacity: 4096, maximumFree: 2)
        weak var surplus: ByteBuffer?
        do {
            let buffers = try (0..<3).map { _ in try pool.take() }
            for buffer in buffers { pool.give(buffer) }
            surplus = buffers[2]
        }
        #expect(pool.freeCount == 2)
        #expect(surplus == nil)
    }

    @Test func aForeignSizeIsNotKept() throws {
        let pool = BufferPool(bufferCapacity: 4096, maximumFree: 2)
        pool.give(try ByteBuffer(capacity: 8192))
        #expect(pool.freeCount == 0)
    }

    @Test func aBufferCanBeGivenAndTakenAgain() throws {
        let pool = BufferPool(bufferCapacity: 4096, maximumFree: 1)
        for _ in 0..<3 { pool.give(try pool.take()) }
        #expect(pool.freeCount == 1)
    }

    @Test func givingTwiceIsABug() async {
        await #expect(processExitsWith: .failure) {
            let pool = BufferPool(bufferCapacity: 4096, maximumFree: 2)
            let buffer = try pool.take()
            pool.give(buffer)
            pool.give(buffer)
        }
    }
}
