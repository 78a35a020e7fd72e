import HTTP1
import Testing
import Wire

/// Everything observable about reading one request head, as a value that `==` can judge.
struct RequestOutcome: Equatable {
    var head: RequestHead?
    var rest = 0
    var fault: HTTPFault?

    init(parsing pieces: [ArraySlice<UInt8>], limits: HeadLimits = HeadLimits()) {
        var parser = RequestHeadParser(limits: limits)
        var left = pieces.reduce(0) { $0 + $1.count }
        do throws(HTTPFault) {
            for piece in pieces where !parser.isComplete {
                left -= try parser.consume(piece.span)
            }
            if parser.isComplete {
                head = try parser.takeHead()
                rest = left
            }
        } catch {
            fault = error
        }
    }
}

/// Everything observable about reading one response head.
struct ResponseOutcome: Equatable {
    var head: ResponseHead?
    var rest = 0
    var fault: HTTPFault?

    init(
        parsing pieces: [ArraySlice<UInt8>],
        answering method: String = "GET",
        limits: HeadLimits = HeadLimits()
    ) {
        var parser = ResponseHeadParser(limits: limits)
        var left = pieces.reduce(0) { $0 + $1.count }
        do throws(HTTPFault) {
            for piece in pieces where !parser.isComplete {
                left -= try parser.consume(piece.span)
            }
            if parser.isComplete {
                head = try parser.takeHead(answering: method)
                rest = left
            }
        } catch {
            fault = error
        }
    }
}

/// One defect: what goes in, and which fault must come out where.
struct FaultRow: CustomTestStringConvertible {
    let testDescription: String
    let input: [UInt8]
    let fault: HTTPFault

    init(_ input: String, _ reason: HTTPReason, at offset: Int, _ note: String = "") {
        testDescription = note.isEmpty ? input.debugDescription : note
        self.input = Array(input.utf8)
        fault = HTTPFault(reason, at: offset)
    }

    /// A row with bytes that are not text, between `prefix` and `suffix`.
    init(
        _ prefix: String,
        _ bytes: [UInt8],
        _ suffix: String,
        _ reason: HTTPReason,
        at offset: Int
    ) {
        testDescription = "\(prefix.debugDescription) \(bytes) \(suffix.debugDescription)"
        input = Array(prefix.utf8) + bytes + Array(suffix.utf8)
        fault = HTTPFault(reason, at: offset)
    }
}
