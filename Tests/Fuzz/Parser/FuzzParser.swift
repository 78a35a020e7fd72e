import FuzzHarness
import Multipart
import TestSupport
import Wire

/// The multipart parser: cuts do not matter, and the naive twin reads the same framing.
enum FuzzParser: FuzzTarget {
    static let disposition = "Content-Disposition: form-data; name=\"a\""

    /// The first byte of an input chooses the boundary, and from 128 on tight limits.
    static let boundaries = ["b", "-", "--", "aabaa", "b0Und", "a b"]

    static let seeds = [
        "0--b\r\n\(disposition)\r\n\r\nvalue\r\n--b--\r\n",
        "1---\r\n\(disposition); filename=\"x\"\r\nContent-Type: a/b\r\n\r\n\r\n--\r\n-----",
        "3preamble\r\n--aabaa\r\n\(disposition)\r\n\r\n\r\n--aaba\r\n--aabaa\r\nA: b\r\n\r\n\r\n--aabaa--",
        "4--b0Und\n\(disposition)\n\nv\n--b0Und--\n",
        "é--aabaa\r\n\(disposition); filename=\"x.y\"\r\nA: b\r\n\r\nv\r\n--aabaa--",
        "5--a b \r\n\(disposition)\r\n folded\r\n\r\n\r\n--a b--\r\nepilogue",
    ]

    static let tokens = [
        "\r", "\n", "\r\n", "-", "--", "--b", "\r\n--b", "\r\n---", "\r\n----", "\r\n--aabaa",
        "\r\n--b0Und", "\r\n--b0Und--\r\n", "\r\n--a b", "\n--b", "\r--b", " ", "\t", "\0", ":",
        "A: b\r\n", "\r\n\r\n", "\(disposition)\r\n\r\n", "aab", "\u{FF}",
    ]

    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8] {
        let boundary = boundaries[Int(input.first ?? 0) % boundaries.count]
        let body = Array(input.dropFirst())
        let isTight = (input.first ?? 0) >= 128
        let limits = limits(isTight: isTight)
        let whole = try read([body[...]], boundary, limits)
        if !isTight {
            // The twin knows no limits.
            let framing = whole.events.compactMap(\.framing)
            let naive = NaiveParser(body, boundary: boundary).events
            try require(framing == naive, "the twin reads \(naive) and the parser \(framing)")
        }
        for pieces in someCuts(of: body, &random) {
            let cut = try read(pieces, boundary, limits)
            try require(cut.events == whole.events, "cut \(pieces.map(\.count)) reads otherwise")
            for (offset, settled) in cut.settled where offset == body.count {
                try require(settled == whole.settled[offset], "cut settles otherwise")
            }
        }
        return sketch(whole.events)
    }

    private static func limits(isTight: Bool) -> MultipartLimits {
        var limits = MultipartLimits()
        limits.partHeaderBytes = isTight ? 200 : 1 << 20
        limits.partHeaderLineBytes = isTight ? 80 : 1 << 20
        limits.partHeaderFields = isTight ? 3 : 1 << 20
        limits.nameBytes = isTight ? 4 : 1 << 20
        limits.filenameBytes = isTight ? 4 : 1 << 20
        return limits
    }

    /// The events, and what was settled after each piece, which never shrinks or runs ahead.
    private static func read(
        _ pieces: [ArraySlice<UInt8>],
        _ boundary: String,
        _ limits: MultipartLimits
    ) throws(Disagreement) -> (events: [Event], settled: [Int: Int]) {
        guard let boundary = try? MultipartBoundary(boundary) else {
            throw Disagreement("no boundary")
        }
        var parser = MultipartParser(boundary: boundary, limits: limits)
        var sink = Recorder()
        var settled: [Int: Int] = [:]
        var last = 0
        var isSane = true
        do throws(MultipartFault) {
            for piece in pieces {
                try parser.consume(piece.span, into: &sink)
                let now = parser.settledOffset
                isSane = isSane && (last...parser.offset).contains(now)
                last = max(last, min(now, parser.offset))
                settled[parser.offset] = now
            }
            try parser.finish(into: &sink)
            sink.events.append(.finished)
        } catch {
            sink.events.append(.fault(error.reason, error.offset))
        }
        try require(isSane, "what is settled shrinks, or runs ahead")
        return (sink.events, settled)
    }

    /// The kinds of events in order, runs of the same kind as one.
    private static func sketch(_ events: [Event]) -> [UInt8] {
        var sketch: [UInt8] = []
        for event in events {
            let mark: UInt8 =
                switch event {
                case .head: 1
                case .part(let part): 2 + UInt8(min(part.fields.count, 4))
                case .content: 7
                case .end: 8
                case .finished: 9
                case .fact(let reason, _), .fault(let reason, _):
                    UInt8(10 + (MultipartReason.allCases.firstIndex(of: reason) ?? 0))
                }
            if sketch.last != mark, sketch.count < 24 { sketch.append(mark) }
        }
        return sketch
    }
}

#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied at once.
    FuzzParser.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#else
@main private enum Main {
    static func main() { FuzzRun<FuzzParser>.main() }
}
#endif
