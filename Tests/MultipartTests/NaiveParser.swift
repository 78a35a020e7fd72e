import Multipart

/// The framing of a multipart body, read with the whole body at hand: the specification of the
/// parser, without what it says about the lines of header blocks.
struct NaiveParser {
    private(set) var events: [Event] = []

    /// Below which offset nothing that follows this body can change anything.
    private(set) var settled = 0

    private let body: [UInt8]
    private let dashBoundary: [UInt8]

    init(_ body: [UInt8], boundary: String) {
        self.body = body
        dashBoundary = Array("--\(boundary)".utf8)
        read()
    }

    private mutating func read() {
        var start = 0
        var part = -1
        var isOpen = false
        while true {
            guard let at = delimiter(from: start) else {
                settled = candidate(from: start)
                pass(start..<settled, isPreamble: part < 0)
                let isCut = body[settled...].contains(UInt8(ascii: "-"))
                fail(part < 0 && !isCut ? .delimiterMissingFirst : .finalDelimiterMissing)
                return
            }
            var end = at
            if at > start {
                end -= body[at - 1] == 10 && at - 1 > start && body[at - 2] == 13 ? 2 : 1
            }
            pass(start..<end, isPreamble: part < 0)
            if end == at - 1 { fact(body[end] == 10 ? .delimiterBareLF : .delimiterBareCR, end) }
            if end == at, isOpen { fact(.partBodyless, end) }
            settled = end
            guard let next = afterDelimiter(at + dashBoundary.count) else { return }
            if isOpen { events.append(.end(end)) }
            isOpen = false
            guard !next.isClose else { return readEpilogue(from: next.index) }
            settled = next.index
            events.append(.head(next.index))
            guard let content = afterHead(next.index) else { return fail(.finalDelimiterMissing) }
            part += 1
            isOpen = true
            events.append(.naivePart(index: part, head: next.index, content: content))
            start = content
        }
    }

    /// The first "--" boundary from `start` on that is there or after a CR or LF.
    private func delimiter(from start: Int) -> Int? {
        (start..<max(start, body.count)).first { index in
            (index == start || [10, 13].contains(body[index - 1]))
                && body[index...].starts(with: dashBoundary)
        }
    }

    /// Where the longest end of the body begins that could become a delimiter.
    private func candidate(from start: Int) -> Int {
        (start...body.count).first { index in
            let rest = body[index...]
            let starts: [[UInt8]] = [[13, 10], [13], [10]] + (index == start ? [[]] : [])
            return starts.contains { ($0 + dashBoundary).starts(with: rest) }
        } ?? body.count
    }

    private mutating func afterDelimiter(_ start: Int) -> (index: Int, isClose: Bool)? {
        var index = start
        while index < body.count, body[index] == 32 || body[index] == 9 { index += 1 }
        if index > start { fact(.delimiterPadding, start) }
        let rest = body[index...]
        if rest.starts(with: [45, 45]) { return (index + 2, true) }
        if rest.first == 45, rest.count > 1 { fail(.delimiterTrailingBytes, index + 1) }
        if rest.isEmpty || rest.count == 1 && [13, 45].contains(body[index]) {
            fail(.finalDelimiterMissing)
        }
        if case .fault? = events.last { return nil }
        if let next = lineEnd(at: index) { return (next, false) }
        fail(.delimiterTrailingBytes, index)
        return nil
    }

    /// The index after a line end, which is reported unless it is CRLF, or nil.
    private mutating func lineEnd(at index: Int) -> Int? {
        if body[index...].starts(with: [13, 10]) { return index + 2 }
        guard index < body.count, body[index] == 10 || body[index] == 13 && index + 1 < body.count
        else { return nil }
        fact(body[index] == 10 ? .lineBareLF : .lineBareCR, index)
        return index + 1
    }

    private mutating func afterHead(_ start: Int) -> Int? {
        var index = start
        while true {
            let line = index
            while index < body.count, body[index] != 10, body[index] != 13 { index += 1 }
            let isEmpty = index == line
            guard let next = lineEnd(at: index) else { return nil }
            if isEmpty { return next }
            index = next
        }
    }

    private mutating func readEpilogue(from start: Int) {
        var index = start
        while index < body.count, body[index] == 32 || body[index] == 9 { index += 1 }
        if index > start { fact(.delimiterPadding, start) }
        var lineEnds = 0
        while lineEnds < 2, let next = lineEnd(at: index) {
            index = next
            lineEnds += 1
        }
        if index < body.count {
            let isCR = lineEnds < 2 && body[index...] == [13]
            fact(isCR ? .lineBareCR : .epiloguePresent, index)
        }
        events.append(.finished)
    }

    private mutating func pass(_ range: Range<Int>, isPreamble: Bool) {
        guard !range.isEmpty else { return }
        if isPreamble {
            fact(.preamblePresent, 0)
        } else {
            events.append(.content(Array(body[range])))
        }
    }

    private mutating func fact(_ reason: MultipartReason, _ offset: Int) {
        events.append(.fact(reason, offset))
    }

    private mutating func fail(_ reason: MultipartReason, _ offset: Int? = nil) {
        if case .fault? = events.last { return }
        events.append(.fault(reason, offset ?? body.count))
    }
}

extension Event {
    /// A part of which only the offsets are compared.
    static func naivePart(index: Int, head: Int, content: Int) -> Event {
        .part(Part(index: index, headOffset: head, contentOffset: content, fields: []))
    }

    /// This event as the naive parser gives it, or nil where it does not.
    var framing: Event? {
        switch self {
        case .part(let part):
            return .naivePart(index: part.index, head: part.headOffset, content: part.contentOffset)
        case .fact(let reason, _):
            let area = reason.rawValue.prefix { $0 != "." }
            let isFraming =
                ["delimiter", "line", "preamble", "epilogue"].contains(String(area))
                || reason == .partBodyless
            return isFraming ? self : nil
        case .head, .content, .end, .fault, .finished:
            return self
        }
    }
}
