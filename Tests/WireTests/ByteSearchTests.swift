import Glibc
import TestSupport
import Testing
import Wire

@Suite struct ByteSearchTests {
    @Test(arguments: [1, 2, 3] as [UInt64])
    func findsWhatTheOracleFinds(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        // Few letters, so that there are many near misses and many hits.
        let alphabet = Array("\r\n-ab".utf8)
        for _ in 0..<2_000 {
            let needle = letters(1...6, of: Array("-ab".utf8), &random)
            var text = letters(0...700, of: alphabet, &random)
            if Bool.random(using: &random) {
                let place = Int.random(in: 0...text.count, using: &random)
                text.insert(contentsOf: [10] + needle, at: place)
            }
            let start = Int.random(in: 0...text.count, using: &random)
            #expect(
                text.span.firstLineEnd(before: needle.span, from: start)
                    == oracle(text, needle, from: start),
                "\(text) \(needle) \(start)"
            )
        }
    }

    @Test func everyPlaceInABlockIsFound() {
        let needle = Array("--b".utf8)
        for count in 4...300 {
            for place in 0...count - 4 {
                var text = Array(repeating: UInt8(ascii: "-"), count: count)
                text.replaceSubrange(place..<place + 4, with: [13] + needle)
                #expect(text.span.firstLineEnd(before: needle.span, from: 0) == place)
            }
        }
    }

    @Test func anEmptySpanOrNeedleIsNeverFound() {
        let none: [UInt8] = []
        let text: [UInt8] = [13, 10]
        #expect(none.span.firstLineEnd(before: text.span, from: 0) == nil)
        #expect(text.span.firstLineEnd(before: none.span, from: 0) == nil)
        #expect(text.span.firstLineEnd(before: text.span, from: 2) == nil)
    }

    /// Reading one byte too many crashes: the page after the text cannot be read.
    @Test func readsNothingBehindTheEnd() {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let map = unsafe mmap(
            nil,
            2 * page,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | MAP_ANONYMOUS,
            -1,
            0
        )
        guard let map = unsafe map, unsafe map != MAP_FAILED else {
            Issue.record("no memory")
            return
        }
        defer { unsafe munmap(map, 2 * page) }
        unsafe #expect(mprotect(map + page, page, PROT_NONE) == 0)
        for needleCount in 1...72 {
            let needle = Array(repeating: UInt8(ascii: "-"), count: needleCount)
            for count in [0, 1, needleCount, needleCount + 1, 127, 128, 129, 300, page] {
                let text = unsafe UnsafeRawBufferPointer(start: map + page - count, count: count)
                for byte in [UInt8(ascii: "-"), 13] {
                    unsafe memset(map, Int32(byte), page)
                    let span = unsafe Span<UInt8>(_unsafeBytes: text)
                    #expect(span.firstLineEnd(before: needle.span, from: 0) == nil)
                }
            }
        }
    }

    private func oracle(_ text: [UInt8], _ needle: [UInt8], from start: Int) -> Int? {
        (start..<text.count).first { place in
            (text[place] == 13 || text[place] == 10) && text[(place + 1)...].starts(with: needle)
        }
    }

    private func letters(
        _ counts: ClosedRange<Int>,
        of alphabet: [UInt8],
        _ random: inout SplitMix64
    ) -> [UInt8] {
        (0..<Int.random(in: counts, using: &random)).map { _ in
            alphabet[Int.random(in: alphabet.indices, using: &random)]
        }
    }
}
