import HTTP1
import Inspection
import Wire

/// What is decided about one request that passes head parser, body decoder and inspector.
struct InspectedRequest: Equatable {
    enum Verdict: Equatable {
        /// The bytes end before the head does.
        case headOpen
        case refused(code: String, offset: Int)
        case blocked(code: String, offset: Int, part: Int?)
        case allowed
    }

    let verdict: Verdict
    var partCount = 0

    /// Bytes that were consumed, head and framing included, if the request ended in order.
    var consumed: Int?
}

extension InspectedRequest {
    /// Takes `pieces` one after the other, as they would be read from a connection.
    init(of pieces: [ArraySlice<UInt8>], policy: InspectionPolicy) {
        var parser = RequestHeadParser(limits: HeadLimits())
        var run: BodyRun?
        for piece in pieces {
            var rest = piece
            if run == nil {
                do {
                    rest = rest.dropFirst(try parser.consume(rest))
                    guard parser.isComplete else { continue }
                    run = BodyRun(try parser.takeHead(), policy: policy)
                } catch {
                    self.init(verdict: .refused(code: error.reason.rawValue, offset: error.offset))
                    return
                }
            }
            run?.consume(rest)
        }
        guard var run else {
            self.init(verdict: .headOpen)
            return
        }
        run.finish()
        self.init(
            verdict: run.verdict ?? .allowed,
            partCount: run.inspector.partCount,
            consumed: run.verdict == nil ? run.headCount + run.decoder.offset : nil
        )
    }
}

/// The body of one request on its way through decoder and inspector.
private struct BodyRun: ~Copyable {
    let headCount: Int
    var decoder: BodyDecoder
    var inspector: UploadInspector
    var verdict: InspectedRequest.Verdict?

    init(_ head: RequestHead, policy: InspectionPolicy) {
        headCount = head.byteCount
        decoder = BodyDecoder(head.framing)
        var declaredLength: Int?
        if case .length(let length) = head.framing { declaredLength = length }
        var policy = policy
        if head.framing == .none { policy.mode = .off }
        inspector = UploadInspector(
            contentType: head.fields.lines.filter { $0.known == .contentType }
                .map { head.fields.value($0) },
            declaredLength: declaredLength,
            policy: policy
        )
        judge()
    }

    mutating func consume(_ piece: ArraySlice<UInt8>) {
        var rest = piece
        do {
            while verdict == nil, !rest.isEmpty, !decoder.isComplete {
                let run = try decoder.next(in: rest)
                let content = rest.dropFirst(run.framing).prefix(run.content)
                rest = rest.dropFirst(run.framing + run.content)
                inspector.consume(content)
                judge()
            }
        } catch {
            verdict = .refused(code: error.reason.rawValue, offset: error.offset)
        }
    }

    mutating func finish() {
        guard verdict == nil else { return }
        do {
            try decoder.finish()
            inspector.finish()
            judge()
        } catch {
            verdict = .refused(code: error.reason.rawValue, offset: error.offset)
        }
    }

    private mutating func judge() {
        guard verdict == nil, let refusal = inspector.refusal else { return }
        verdict = .blocked(code: refusal.code, offset: refusal.offset, part: refusal.part)
    }
}

// A span of a temporary slice does not outlive the expression; a parameter does.

extension RequestHeadParser {
    mutating func consume(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        try consume(bytes.span)
    }
}

extension BodyDecoder {
    mutating func next(in bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Run {
        try next(in: bytes.span)
    }
}

extension UploadInspector {
    mutating func consume(_ bytes: ArraySlice<UInt8>) { consume(bytes.span) }
}
