public import Wire

/// Reads a multipart body as it streams, and keeps none of it but the header block it is in.
///
///     multipart-body  = [preamble CRLF] dash-boundary padding CRLF body-part
///                       *( delimiter padding CRLF body-part )
///                       close-delimiter padding [CRLF epilogue]
///     dash-boundary   = "--" boundary
///     delimiter       = CRLF dash-boundary
///     close-delimiter = delimiter "--"
///     body-part       = header-block CRLF content              (RFC 2046 §5.1.1, RFC 7578 §4)
///
/// There is one way of reading and no leniency flag: what is odd but readable is reported to the
/// sink, what is not readable is thrown, and how much either matters is the caller's policy. The
/// events do not depend on how the body is cut into spans, but for where `content` is cut.
///
/// The one place where the parser is stricter than the grammar: a delimiter with wrong bytes behind
/// it is a fault, not content, because half of the world's parsers end the part there.
///
/// It is linear in the length of the body, whatever the body is.
public struct MultipartParser: Sendable {
    /// What is being read.
    private enum Phase {
        /// Everything before the first delimiter.
        case preamble
        /// What follows a delimiter on its line.
        case delimiterLine
        case head
        case content
        /// Everything after the close-delimiter.
        case epilogue
        /// The end of the body was seen, and accepted.
        case end
    }

    /// How many bytes have been consumed.
    public private(set) var offset = 0

    /// How many parts have begun.
    public private(set) var partCount = 0

    let limits: MultipartLimits
    let boundary: MultipartBoundary
    private var phase = Phase.preamble
    private var matcher = DelimiterMatcher(.start)

    /// Where the delimiter that is being read, or the close-delimiter, begins: its line start.
    private var delimiterOffset = 0

    private var delimiterLine = DelimiterLine()
    private var head: PartHeadParser
    private var epilogue = Epilogue()

    /// True once the content of a part has begun, until its delimiter is complete.
    private var isPartOpen = false

    /// Where the content of the open part begins.
    private var contentOffset = 0

    /// The Content-Length of the open part, and where it stands.
    private var declaredLength: (offset: Int, count: Int?)?

    /// The last Content-Type of a part, for those that have the same.
    private var knownType: String?

    private var hasReportedPreamble = false

    /// Below this offset no delimiter begins that `contentAhead` has not found.
    private var searchedOffset = 0

    /// The last answer of the sink; once true, nothing more is reported.
    private var isStopped = false

    public init(boundary: MultipartBoundary, limits: MultipartLimits = MultipartLimits()) {
        self.boundary = boundary
        self.limits = limits
        head = PartHeadParser(at: 0, limits: limits)
    }

    /// The index of the part whose content is being read, or nil.
    public var openPart: Int? { isPartOpen ? partCount - 1 : nil }

    /// The index of the part whose header block or content is being read, or nil.
    ///
    /// After a fault, and after the sink has stopped, it is the part to which that belongs.
    public var currentPart: Int? {
        if case .head = phase { partCount } else { openPart }
    }

    /// True once the close-delimiter is complete.
    public var isInEpilogue: Bool {
        switch phase {
        case .epilogue, .end: true
        case .preamble, .delimiterLine, .head, .content: false
        }
    }

    /// Bytes below this offset are settled: nothing that comes later can change what they are.
    ///
    /// Not settled are the bytes, at the end of what was consumed, of a construct that is not
    /// decided: of a possible delimiter, from its line start; of a header block, from its first
    /// byte; and of the close-delimiter, from its line start, with everything after it, until
    /// `finish` accepts the end. It never decreases.
    public var settledOffset: Int {
        switch phase {
        case .preamble, .content: offset - matcher.heldCount
        case .delimiterLine, .epilogue: delimiterOffset
        case .head: head.headOffset
        case .end: offset
        }
    }

    /// Reads the next bytes of the body, all of them unless the sink stops.
    ///
    /// - Throws: A fault where the body cannot be read on; the parser must then be discarded.
    public mutating func consume<Sink: MultipartSink & ~Copyable>(
        _ bytes: Span<UInt8>,
        into sink: inout Sink
    ) throws(MultipartFault) {
        var index = 0
        // Every phase reads on from `index`; `offset` follows when it returns.
        while index < bytes.count, !isStopped {
            let start = index
            switch phase {
            case .preamble, .content: index = readContent(bytes, from: index, into: &sink)
            case .delimiterLine: index = try readDelimiterLine(bytes, from: index, into: &sink)
            case .head: index = try readHead(bytes, from: index, into: &sink)
            case .epilogue, .end:
                while index < bytes.count, !isStopped,
                    let fact = epilogue.next(in: bytes, from: &index, at: offset - start)
                {
                    report(fact.reason, at: fact.offset, to: &sink)
                }
            }
            offset += index - start
        }
    }

    /// Ends the body.
    ///
    /// - Throws: `delimiterMissingFirst` or `finalDelimiterMissing` where the close-delimiter has
    ///   not been read.
    public mutating func finish<Sink: MultipartSink & ~Copyable>(
        into sink: inout Sink
    ) throws(MultipartFault) {
        switch phase {
        case .preamble where matcher.matched == 0:
            throw MultipartFault(.delimiterMissingFirst, at: offset)
        case .preamble, .content, .delimiterLine, .head:
            throw MultipartFault(.finalDelimiterMissing, at: offset)
        case .epilogue:
            if epilogue.endsInCR { report(.lineBareCR, at: offset - 1, to: &sink) }
            phase = .end
        case .end:
            break
        }
    }
}

// MARK: - Content and preamble

extension MultipartParser {
    /// Reads content, or preamble, up to the end of the next delimiter or of the span.
    private mutating func readContent<Sink: MultipartSink & ~Copyable>(
        _ bytes: Span<UInt8>,
        from start: Int,
        into sink: inout Sink
    ) -> Int {
        var index = start
        resume: while index < bytes.count {
            switch matcher.step(bytes[index], boundary) {
            case .continues: index += 1
            case .completes:
                let heldCount = matcher.heldCount
                index += 1
                // offset is still that of `start`, and heldCount has counted the byte.
                beginDelimiter(
                    at: offset + (index - start) - heldCount,
                    after: matcher.lineStart,
                    into: &sink
                )
                return index
            case .fails:
                releaseHeld(into: &sink)
                break resume
            }
        }
        guard index < bytes.count, !isStopped else { return index }
        return searchContent(bytes, from: index, at: offset - start, into: &sink)
    }

    /// Reads content in which no candidate is open: the only loop that matters.
    private mutating func searchContent<Sink: MultipartSink & ~Copyable>(
        _ bytes: Span<UInt8>,
        from start: Int,
        at spanOffset: Int,
        into sink: inout Sink
    ) -> Int {
        let boundary = boundary
        let dashBoundary = boundary.delimiter.span.extracting(2...)
        let searched = min(max(start, searchedOffset - spanOffset), bytes.count)
        guard let lineEnd = bytes.firstLineEnd(before: dashBoundary, from: searched) else {
            let held = matcher.hold(bytes, from: start, boundary)
            pass(bytes.extracting(start..<held), into: &sink)
            return bytes.count
        }
        var first = lineEnd
        var lineStart = DelimiterMatcher.LineStart.CR
        if bytes[lineEnd] == ASCII.LF {
            let isCRLF = lineEnd > start && bytes[lineEnd - 1] == ASCII.CR
            lineStart = isCRLF ? .CRLF : .LF
            if isCRLF { first -= 1 }
        }
        pass(bytes.extracting(start..<first), into: &sink)
        beginDelimiter(at: spanOffset + first, after: lineStart, into: &sink)
        return lineEnd + 1 + boundary.dashBoundaryCount
    }

    /// The candidate was content: its bytes are those of the delimiter.
    private mutating func releaseHeld<Sink: MultipartSink & ~Copyable>(into sink: inout Sink) {
        let delimiter = boundary.delimiter
        let matched = matcher.matched
        switch matcher.lineStart {
        case .none: return
        case .start: pass(delimiter.span.extracting(2..<2 + matched), into: &sink)
        case .LF: pass(delimiter.span.extracting(1..<2 + matched), into: &sink)
        case .CRLF: pass(delimiter.span.extracting(0..<2 + matched), into: &sink)
        case .CR:
            pass(delimiter.span.extracting(0..<1), into: &sink)
            pass(delimiter.span.extracting(2..<2 + matched), into: &sink)
        }
        matcher = DelimiterMatcher()
    }

    private mutating func pass<Sink: MultipartSink & ~Copyable>(
        _ run: Span<UInt8>,
        into sink: inout Sink
    ) {
        guard !run.isEmpty, !isStopped else { return }
        if case .preamble = phase {
            if !hasReportedPreamble { report(.preamblePresent, at: 0, to: &sink) }
            hasReportedPreamble = true
        } else {
            sink.content(run)
            isStopped = sink.isStopped
        }
    }

    private mutating func beginDelimiter<Sink: MultipartSink & ~Copyable>(
        at offset: Int,
        after lineStart: DelimiterMatcher.LineStart,
        into sink: inout Sink
    ) {
        delimiterOffset = offset
        delimiterLine = DelimiterLine()
        matcher = DelimiterMatcher()
        phase = .delimiterLine
        switch lineStart {
        case .CR: report(.delimiterBareCR, at: offset, to: &sink)
        case .LF: report(.delimiterBareLF, at: offset, to: &sink)
        case .start where isPartOpen: report(.partBodyless, at: offset, to: &sink)
        case .start, .CRLF, .none: break
        }
    }
}

// MARK: - Looking ahead

extension MultipartParser {
    /// How many of `bytes`, which are to be consumed next, are content of the open part, whatever
    /// comes behind them; 0 also where that is not plain.
    package mutating func contentAhead(in bytes: Span<UInt8>) -> Int {
        guard case .content = phase, case .none = matcher.lineStart, !isStopped else { return 0 }
        let boundary = boundary
        let dashBoundary = boundary.delimiter.span.extracting(2...)
        guard bytes.firstLineEnd(before: dashBoundary, from: 0) == nil else { return 0 }
        // A delimiter may begin in the last bytes, with two for its line end.
        let count = max(0, bytes.count - boundary.dashBoundaryCount - 2)
        searchedOffset = offset + count
        return count
    }
}

// MARK: - Delimiter lines and header blocks

extension MultipartParser {
    private mutating func readDelimiterLine<Sink: MultipartSink & ~Copyable>(
        _ bytes: Span<UInt8>,
        from start: Int,
        into sink: inout Sink
    ) throws(MultipartFault) -> Int {
        var index = start
        while index < bytes.count, !isStopped {
            let byteOffset = offset + (index - start)
            let step = try delimiterLine.step(bytes[index], at: byteOffset, limits: limits)
            if let fact = step.fact { report(fact.reason, at: fact.offset, to: &sink) }
            if step.isConsumed { index += 1 }
            switch step.end {
            case .none: continue
            case .line: beginHead(at: offset + (index - start), into: &sink)
            case .close:
                endPart(into: &sink)
                phase = .epilogue
            }
            break
        }
        return index
    }

    private mutating func beginHead<Sink: MultipartSink & ~Copyable>(
        at headOffset: Int,
        into sink: inout Sink
    ) {
        endPart(into: &sink)
        head.begin(at: headOffset)
        phase = .head
        guard !isStopped else { return }
        sink.headBegins(at: headOffset)
        isStopped = sink.isStopped
    }

    private mutating func endPart<Sink: MultipartSink & ~Copyable>(into sink: inout Sink) {
        guard isPartOpen else { return }
        isPartOpen = false
        if let declaredLength, declaredLength.count != delimiterOffset - contentOffset {
            report(.partContentLengthMismatch, at: declaredLength.offset, to: &sink)
        }
        guard !isStopped else { return }
        sink.partEnds(at: delimiterOffset)
        isStopped = sink.isStopped
    }

    private mutating func readHead<Sink: MultipartSink & ~Copyable>(
        _ bytes: Span<UInt8>,
        from start: Int,
        into sink: inout Sink
    ) throws(MultipartFault) -> Int {
        var index = start
        while !isStopped {
            switch try head.next(in: bytes, from: &index) {
            case .needsMore: return index
            case .found(let fact): report(fact.reason, at: fact.offset, to: &sink)
            case .complete:
                beginPart(at: offset + (index - start), into: &sink)
                return index
            }
        }
        return index
    }

    private mutating func beginPart<Sink: MultipartSink & ~Copyable>(
        at contentOffset: Int,
        into sink: inout Sink
    ) {
        let reader = PartHeadReader(
            block: head.block,
            fields: head.fields,
            headOffset: head.headOffset,
            limits: limits,
            knownType: knownType
        )
        knownType = reader.contentType ?? knownType
        for fact in reader.facts { report(fact.reason, at: fact.offset, to: &sink) }
        guard !isStopped else { return }
        let part = PartHead(
            index: partCount,
            headOffset: head.headOffset,
            contentOffset: contentOffset,
            bytes: head.block,
            fields: head.fields,
            name: reader.name,
            filename: reader.filename,
            extendedFilename: reader.extendedFilename,
            contentType: reader.contentType
        )
        partCount += 1
        isPartOpen = true
        phase = .content
        matcher = DelimiterMatcher(.start)
        self.contentOffset = contentOffset
        declaredLength = reader.declaredLength
        sink.partBegins(part)
        isStopped = sink.isStopped
    }

    private mutating func report<Sink: MultipartSink & ~Copyable>(
        _ reason: MultipartReason,
        at offset: Int,
        to sink: inout Sink
    ) {
        guard !isStopped else { return }
        sink.found(reason, at: offset)
        isStopped = sink.isStopped
    }
}
