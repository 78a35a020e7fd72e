import HTTP1
import Wire

/// Everything observable about decoding one body, as a value that `==` can judge.
struct BodyOutcome: Equatable {
    var body: [UInt8] = []
    /// Bytes behind the body; nil while it is not complete.
    var rest: Int?
    var fault: HTTPFault?
    var trailers: [String] = []
    var dropped = 0

    static func complete(
        _ body: String,
        rest: Int = 0,
        trailers: [String] = [],
        dropped: Int = 0
    ) -> Self {
        BodyOutcome(body: Array(body.utf8), rest: rest, trailers: trailers, dropped: dropped)
    }

    static func incomplete(_ body: String) -> Self { BodyOutcome(body: Array(body.utf8)) }

    static func fault(_ reason: HTTPReason, at offset: Int, after body: String = "") -> Self {
        BodyOutcome(body: Array(body.utf8), fault: HTTPFault(reason, at: offset))
    }
}

extension BodyOutcome {
    init(
        decoding pieces: [ArraySlice<UInt8>],
        framing: BodyFraming = .chunked,
        limits: BodyLimits = BodyLimits()
    ) {
        var decoder = BodyDecoder(framing, limits: limits)
        do throws(HTTPFault) {
            for piece in pieces {
                var rest = piece
                while !rest.isEmpty {
                    let run = try decoder.next(in: rest.span)
                    if run == BodyDecoder.Run(framing: 0, content: 0) { break }
                    body += rest.dropFirst(run.framing).prefix(run.content)
                    rest = rest.dropFirst(run.framing + run.content)
                }
            }
        } catch {
            fault = error
        }
        if fault == nil, decoder.isComplete {
            rest = pieces.reduce(0) { $0 + $1.count } - decoder.offset
        }
        if let section = decoder.trailers {
            trailers = section.lines.map { line in
                "\(section.text(of: line.name))=\(section.text(of: line.value))"
            }
        }
        dropped = decoder.droppedTrailers
    }
}
