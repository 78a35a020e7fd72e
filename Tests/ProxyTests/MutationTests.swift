import Inspection
import TestSupport
import Testing

/// Requests with random damage on the whole way from the first byte to the verdict: nothing traps,
/// and no cut changes what is decided.
///
/// A million inputs in a release build, 24,000 in a debug build, where each takes much longer.
@Suite struct MutationTests {
    #if DEBUG
    private static let inputsPerSeed = 3000
    #else
    private static let inputsPerSeed = 125_000
    #endif

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func damagedRequests(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let requests = Self.requests.map { Array($0.utf8) }
        var tally = Tally()
        for round in 0..<Self.inputsPerSeed {
            let input = Self.mutate(requests, using: &random)
            let policy = Self.policies[round % Self.policies.count]
            let whole = InspectedRequest(of: [input[...]], policy: policy)
            let cut = InspectedRequest(of: Self.cut(input, using: &random), policy: policy)
            guard whole == cut else {
                Issue.record(
                    "seed \(seed), round \(round): \(whole) whole, \(cut) in pieces: \(input)"
                )
                return
            }
            tally.add(whole.verdict)
        }
        // The damage is of a kind that leaves every way out open.
        #expect(tally.allowed > Self.inputsPerSeed / 40)
        #expect(tally.blocked > Self.inputsPerSeed / 10)
        #expect(tally.refused > Self.inputsPerSeed / 10)
        #expect(tally.codes.count > 40, "\(tally.codes.sorted())")
    }

    private struct Tally {
        var allowed = 0
        var blocked = 0
        var refused = 0
        var codes: Set<String> = []

        mutating func add(_ verdict: InspectedRequest.Verdict) {
            switch verdict {
            case .headOpen: break
            case .allowed: allowed += 1
            case .blocked(let code, _, _):
                blocked += 1
                codes.insert(code)
            case .refused(let code, _):
                refused += 1
                codes.insert(code)
            }
        }
    }

    private static let policies: [InspectionPolicy] = {
        var small = InspectionLimits()
        small.holdBytes = 0
        small.parts = 2
        small.files = 1
        small.partBytes = 24
        small.partHeaderBytes = 120
        small.partHeaderLineBytes = 80
        small.partHeaderFields = 2
        small.nameBytes = 3
        small.filenameBytes = 5
        // Two limits that one run of content may cross are two policies: which of them is named
        // is tested by itself.
        var few = InspectionLimits()
        few.nonFileBytes = 12
        return [
            InspectionPolicy(),
            InspectionPolicy(profile: .strict, limits: few),
            InspectionPolicy(limits: small),
            InspectionPolicy(profile: .strict, contentTypes: ["multipart/form-data"]),
        ]
    }()

    // MARK: Well-formed requests

    private static let form = """
        --b\r
        Content-Disposition: form-data; name="a"\r
        \r
        value\r
        --b\r
        Content-Disposition: form-data; name="f"; filename="x.txt"\r
        Content-Type: text/plain; charset=utf-8\r
        \r
        some\r\n--text\r
        --b--\r\n
        """

    private static func post(_ type: String, _ body: String) -> String {
        "POST /u?q HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static func chunked(_ type: String, _ body: String, size: Int) -> String {
        var text =
            "PUT /u HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n"
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            let chunk = rest.prefix(size)
            rest = rest.dropFirst(size)
            let content = String(decoding: chunk, as: UTF8.self)
            text += "\(String(chunk.count, radix: 16));x=\"y\"\r\n\(content)\r\n"
        }
        return text + "0\r\nX-Trailer: z\r\n\r\n"
    }

    private static let requests = [
        post("multipart/form-data; boundary=b", form),
        chunked("multipart/form-data; boundary=b", form, size: 50),
        chunked("multipart/form-data; boundary=\"b\"", form, size: 7),
        post("text/plain", "just text"),
        post("multipart/form-data; boundary=b", "--b--"),
        "GET / HTTP/1.1\r\nHost: h\r\n\r\n",
    ]

    // MARK: Damage

    /// Bytes that framing is made of, more likely to find a hole than random ones.
    private static let sharp = Array("\r\n\r\n\r\n --b-:;,=\"\\0123456789aAfFxX\t\0\u{7F}*'%/".utf8)

    private static func mutate(_ seeds: [[UInt8]], using random: inout SplitMix64) -> [UInt8] {
        var bytes = seeds[Int.random(in: seeds.indices, using: &random)]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let index = place(in: bytes, using: &random)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes.insert(byte(using: &random), at: index)
            case 1: if index < bytes.count { bytes[index] = byte(using: &random) }
            case 2: if index < bytes.count { bytes.remove(at: index) }
            case 3:
                if index < bytes.count {
                    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                }
            case 4:
                let end = min(bytes.count, index + Int.random(in: 0...60, using: &random))
                bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 5:
                let other = seeds[Int.random(in: seeds.indices, using: &random)]
                let start = Int.random(in: 0...other.count, using: &random)
                bytes.replaceSubrange(index..., with: other[start...])
            default:
                bytes.removeSubrange(index..<min(bytes.count, index + 30))
            }
        }
        if Int.random(in: 0..<12, using: &random) == 0 {
            bytes.removeLast(Int.random(in: 0...bytes.count, using: &random))
        }
        return bytes
    }

    /// Anywhere, but more often behind the head, which else would catch most of the damage.
    private static func place(in bytes: [UInt8], using random: inout SplitMix64) -> Int {
        let start = Int.random(in: 0..<4, using: &random) == 0 ? 0 : min(60, bytes.count)
        return Int.random(in: start...bytes.count, using: &random)
    }

    private static func byte(using random: inout SplitMix64) -> UInt8 {
        Bool.random(using: &random)
            ? UInt8.random(in: .min ... .max, using: &random)
            : sharp[Int.random(in: sharp.indices, using: &random)]
    }

    private static func cut(
        _ bytes: [UInt8],
        using random: inout SplitMix64
    ) -> [ArraySlice<UInt8>] {
        let longest = [1, 2, 9, 64, 300][Int.random(in: 0..<5, using: &random)]
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...longest, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return pieces
    }
}
