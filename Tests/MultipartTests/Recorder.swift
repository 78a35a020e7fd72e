import Multipart
import Wire

/// What a sink is told, as values that `==` can judge; content that follows content is joined.
enum Event: Equatable {
    case head(Int)
    case part(Part)
    case content([UInt8])
    case end(Int)
    case fact(MultipartReason, Int)
    /// What `consume` or `finish` threw; the last event.
    case fault(MultipartReason, Int)
    /// The body was accepted; the last event.
    case finished

    struct Part: Equatable {
        var index: Int
        var headOffset: Int
        var contentOffset: Int
        var name: String?
        var filename: String?
        var extendedFilename: String?
        var contentType: String?
        var fields: [String]
    }
}

struct Recorder: MultipartSink {
    var events: [Event] = []
    /// Stops after so many events; content counts each time.
    var remaining = Int.max
    var isStopped: Bool { remaining <= 0 }

    /// Bytes of content so far.
    var contentCount: Int {
        events.reduce(0) { if case .content(let bytes) = $1 { $0 + bytes.count } else { $0 } }
    }

    mutating func headBegins(at offset: Int) { record(.head(offset)) }

    mutating func partBegins(_ head: PartHead) {
        record(
            .part(
                Event.Part(
                    index: head.index,
                    headOffset: head.headOffset,
                    contentOffset: head.contentOffset,
                    name: head.name,
                    filename: head.filename,
                    extendedFilename: head.extendedFilename,
                    contentType: head.contentType,
                    fields: head.fields.map { "\(head.text($0.name))=\(head.text($0.value))" }
                )
            )
        )
    }

    mutating func content(_ bytes: Span<UInt8>) {
        let new = bytes.indices.map { bytes[$0] }
        if case .content(let old)? = events.last {
            events[events.count - 1] = .content(old + new)
            remaining -= 1
        } else {
            record(.content(new))
        }
    }

    mutating func partEnds(at offset: Int) { record(.end(offset)) }

    mutating func found(_ reason: MultipartReason, at offset: Int) {
        record(.fact(reason, offset))
    }

    private mutating func record(_ event: Event) {
        events.append(event)
        remaining -= 1
    }
}

/// What the parser says about a body that comes in these pieces.
func events(
    of pieces: [ArraySlice<UInt8>],
    boundary: String = "b0Und",
    limits: MultipartLimits = MultipartLimits(),
    looksAhead: Bool = false
) throws -> [Event] {
    var parser = MultipartParser(boundary: try MultipartBoundary(boundary), limits: limits)
    var sink = Recorder()
    do {
        for piece in pieces {
            let ahead = looksAhead ? parser.contentAhead(in: piece.span) : 0
            let before = sink.contentCount
            try parser.consume(piece.span, into: &sink)
            if sink.contentCount - before < ahead { throw LessContentThanForeseen() }
        }
        try parser.finish(into: &sink)
        sink.events.append(.finished)
    } catch let error as MultipartFault {
        sink.events.append(.fault(error.reason, error.offset))
    }
    return sink.events
}

/// The parser took something else than content where it had said that there is content.
struct LessContentThanForeseen: Error {}
