import FuzzHarness
import HTTP1
import TestSupport
import Wire

/// The chunked coding: cuts do not matter, the naive twin reads the same, and what was decoded can
/// be encoded and decoded again.
enum FuzzChunked: FuzzTarget {
    static let seeds = [
        "5\r\nhello\r\n0\r\n\r\n",
        "3;a=b;c=\"d \\\" e\"\r\nabc\r\nA ; x\r\n0123456789\r\n0\r\nX: y\r\nHost: z\r\n\r\nGET",
        "1\r\na\r\n1\r\nb\r\n1\r\nc\r\n000\r\n\r\n",
        "ffffffffffffff\r\nabc",
        "7fffffffffffffff\r\nabc",
        "2\r\n\r\n\r\n0\r\nDigest: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n",
    ]

    static let tokens = [
        "\r", "\n", "\r\n", "0", "1", "a", "F", "0\r\n", "\r\n0\r\n\r\n", "1\r\nx\r\n", ";", "=",
        "\"", "\\", " ", "\t", ";a=b", "A: b\r\n", ":", "\0", "fffffffffffffff", "\u{FF}",
    ]

    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8] {
        let whole = BodyOutcome(decoding: [input[...]])
        for pieces in someCuts(of: input, &random) {
            try require(
                BodyOutcome(decoding: pieces) == whole,
                "cut \(pieces.map(\.count)) reads otherwise"
            )
        }
        try checkTwin(input, whole)
        try require(
            whole.fault.map { (0...input.count).contains($0.offset) } ?? true,
            "the fault lies outside"
        )
        if whole.rest != nil { try encodeAgain(whole.body, &random) }
        return sketch(whole)
    }

    private static func checkTwin(_ input: [UInt8], _ whole: BodyOutcome) throws(Disagreement) {
        // The twin knows no limits.
        if whole.fault?.reason.rawValue.contains("too_") == true { return }
        let naive = naivelyDecodeChunked(input)
        try require(naive?.rest == whole.rest, "the twin ends it elsewhere")
        if let naive { try require(naive.body == whole.body, "the twin reads other content") }
    }

    private static func encodeAgain(
        _ body: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) {
        var encoded: [UInt8] = []
        var rest = body[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(Int.random(in: 1...64, using: &random))
            rest = rest.dropFirst(chunk.count)
            ChunkWriter.appendHeader(size: chunk.count, to: &encoded)
            encoded += chunk + ChunkWriter.end
        }
        encoded += ChunkWriter.last
        try require(
            BodyOutcome(decoding: [encoded[...]]) == BodyOutcome(body: body, rest: 0),
            "encoded again it is another body"
        )
    }

    private static func sketch(_ outcome: BodyOutcome) -> [UInt8] {
        let reason = outcome.fault.flatMap { HTTPReason.allCases.firstIndex(of: $0.reason) }
        return [
            outcome.rest == nil ? 0 : 1, UInt8(1 + (reason ?? -1)),
            UInt8(min(outcome.body.count, 12)), UInt8(min(outcome.trailers.count, 3)),
            UInt8(min(outcome.dropped, 3)),
        ]
    }
}
#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied at once.
    FuzzChunked.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#else
@main private enum Main {
    static func main() { FuzzRun<FuzzChunked>.main() }
}
#endif
