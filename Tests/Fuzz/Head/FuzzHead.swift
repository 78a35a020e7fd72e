import FuzzHarness
import HTTP1
import TestSupport
import Wire

/// Request and response heads: cuts do not matter, the naive twin measures the same, and a head
/// that is written again from what was read says the same.
enum FuzzHead: FuzzTarget {
    static let seeds = [
        "POST /upload?a=b HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: 10\r\n\r\n",
        "\r\nPUT http://[::1]:8/x HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n5",
        "GET / HTTP/1.0\r\nConnection: keep-alive, x\r\nX: \t\u{E9} \r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: c\r\nExpect: 100-continue\r\nUpgrade: w\r\n\r\n",
        "CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\nhello",
        "HTTP/1.0 404\r\nServer: x\r\n\r\n",
        "HTTP/1.1 101 Switch\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n",
        "HTTP/1.1 204 \r\nTransfer-Encoding: chunked\r\n\r\n",
    ]

    static let tokens = [
        "\r", "\n", "\r\n", "\r\n\r\n", " ", "\t", ":", ",", "\0", "\u{B}", "\u{7F}", "\u{FF}",
        "Content-Length: 10\r\n", "Content-Length: +1\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n", "Host: a\r\n", "Connection: close\r\n", " folded",
        "[::1]", "%00", "//", "/../", "#", "?", "@", "HTTP/1.1", "HTTP/2.0", "9999999999999999999",
        "Connection: Content-Length\r\n", "Upgrade: h2c\r\n", "Expect: x\r\n", "\\", "\"",
    ]

    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8] {
        let request = Request(parsing: [input[...]])
        let response = Response(parsing: [input[...]])
        for pieces in someCuts(of: input, &random) {
            try require(Request(parsing: pieces) == request, "cut request reads otherwise")
            try require(Response(parsing: pieces) == response, "cut response reads otherwise")
        }
        for fault in [request.fault, response.fault] {
            try require(
                fault.map { (0...input.count).contains($0.offset) } ?? true,
                "the fault lies outside"
            )
        }
        var parser = RequestHeadParser(limits: HeadLimits())
        let consumed = try? parser.consume(input.span)
        // The twin measures heads that the parser may still refuse for what they mean, and knows no
        // limits.
        let measured = parser.isComplete ? consumed : nil
        if request.fault?.reason.rawValue.contains("too_") != true {
            try require(measured == naivelyMeasureRequestHead(input), "the twin measures otherwise")
        }
        if let head = request.head { try writeAgain(head) }
        return sketch(request, response)
    }

    /// Writes what was read, as canonical lines, and reads that.
    private static func writeAgain(_ head: RequestHead) throws(Disagreement) {
        var text = Array("\(head.method) \(head.targetText) HTTP/1.\(head.minorVersion)\r\n".utf8)
        for line in head.fields.lines {
            text += head.fields.name(line) + Array(": ".utf8) + head.fields.value(line)
            text += Array("\r\n".utf8)
        }
        text += Array("\r\n".utf8)
        guard let again = Request(parsing: [text[...]]).head else {
            throw Disagreement("written again it is refused")
        }
        let pairs = { (head: RequestHead) in
            head.fields.lines.map { [head.fields.name($0), head.fields.value($0)] }
        }
        try require(
            again.method == head.method && again.targetText == head.targetText
                && again.framing == head.framing && again.host == head.host
                && again.expectsContinue == head.expectsContinue
                && again.isPersistent == head.isPersistent && again.upgrade == head.upgrade
                && pairs(again) == pairs(head),
            "written again it is another head"
        )
    }

    private static func sketch(_ request: Request, _ response: Response) -> [UInt8] {
        let reasons = [request.fault, response.fault].map { fault in
            fault.flatMap { HTTPReason.allCases.firstIndex(of: $0.reason) }.map { UInt8($0 + 1) }
        }
        return [
            reasons[0] ?? 0, reasons[1] ?? 0, request.head == nil ? 0 : 1,
            response.head == nil ? 0 : 1, UInt8(min(request.head?.fields.lines.count ?? 0, 6)),
            UInt8(min(response.head?.fields.lines.count ?? 0, 6)),
            request.head?.isPersistent == true ? 1 : 0,
        ]
    }
}

/// Everything observable about reading one request head.
private struct Request: Equatable {
    var head: RequestHead?
    var consumed = 0
    var fault: HTTPFault?

    init(parsing pieces: [ArraySlice<UInt8>]) {
        var parser = RequestHeadParser(limits: HeadLimits())
        do throws(HTTPFault) {
            for piece in pieces where !parser.isComplete {
                consumed += try parser.consume(piece.span)
            }
            if parser.isComplete { head = try parser.takeHead() }
        } catch {
            (consumed, fault) = (0, error)
        }
    }
}

/// Everything observable about reading one response head.
private struct Response: Equatable {
    var head: ResponseHead?
    var consumed = 0
    var fault: HTTPFault?

    init(parsing pieces: [ArraySlice<UInt8>]) {
        var parser = ResponseHeadParser(limits: HeadLimits())
        do throws(HTTPFault) {
            for piece in pieces where !parser.isComplete {
                consumed += try parser.consume(piece.span)
            }
            if parser.isComplete { head = try parser.takeHead(answering: "POST") }
        } catch {
            (consumed, fault) = (0, error)
        }
    }
}
#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied at once.
    FuzzHead.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#else
@main private enum Main {
    static func main() { FuzzRun<FuzzHead>.main() }
}
#endif
