import Wire

/// Tells content from framing in the body of a message (RFC 9112 §6, §7.1).
///
///     chunked-body = *chunk last-chunk trailer-section CRLF
///     chunk        = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
///     chunk-size   = 1*HEXDIG
///
/// The decoder is asked for the next run in the bytes that the caller has: so many bytes of
/// framing, then so many of content, which stay where they are. Strict where requests are
/// smuggled: a line ends with CRLF and nothing else, both bytes after chunk data are compared, a
/// size has at most 16 digits and never overflows. There is no resynchronisation: after a fault
/// the message cannot be trusted and the connection has to be closed.
package struct BodyDecoder: Sendable {
    /// Bytes of framing to skip, then bytes of content.
    package struct Run: Equatable, Sendable {
        package var framing: Int
        package var content: Int

        package init(framing: Int, content: Int) {
            self.framing = framing
            self.content = content
        }
    }

    /// What the next byte must be.
    private enum State {
        case firstSizeDigit
        case sizeDigit
        case chunkExtension
        case sizeLF
        case chunkData
        case dataCR
        case dataLF
        case trailerStart
        case trailer
        case finalLF
        case fixedLength
        case untilClose
        case end
    }

    private var state: State
    private let limits: BodyLimits

    /// Content not yet seen, of the chunk or the body; while a size is read, its value so far.
    private var remaining = 0

    private var sizeDigits = 0
    private var extensionParser = ChunkExtensionParser()
    private var extensionBytes = 0
    private var trailerParser: TrailerParser

    /// Bytes of the framed body consumed so far.
    package private(set) var offset = 0

    /// Bytes of content among them.
    package private(set) var contentCount = 0

    package init(_ framing: BodyFraming, limits: BodyLimits = BodyLimits()) {
        self.limits = limits
        trailerParser = TrailerParser(limits: limits)
        switch framing {
        case .none: state = .end
        case .length(let count):
            state = count > 0 ? .fixedLength : .end
            remaining = count
        case .chunked: state = .firstSizeDigit
        case .untilClose: state = .untilClose
        }
    }

    /// True once the last byte of the body has been consumed.
    ///
    /// A body that ends with the connection is complete only after `finish`.
    package var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// So many more bytes the framed body has at least.
    package var fewestBytesLeft: Int {
        switch state {
        case .end, .untilClose: 0
        case .chunkData, .fixedLength: remaining
        case .firstSizeDigit, .sizeDigit, .chunkExtension, .sizeLF, .dataCR, .dataLF,
            .trailerStart, .trailer, .finalLF:
            1
        }
    }

    /// The trailer fields, once the body is complete and if it has any.
    ///
    /// Without those that RFC 9110 §6.5.1 does not allow there.
    package var trailers: FieldSection? { isComplete ? trailerParser.section : nil }

    /// How many trailer fields were dropped because they are not allowed there.
    package var droppedTrailers: Int { trailerParser.dropped }

    /// Consumes the next run at the start of `bytes`.
    ///
    /// - Returns: How many bytes of framing and then of content were consumed. Call again with
    ///   the rest; both are zero when `bytes` is empty or the body is complete.
    package mutating func next(in bytes: Span<UInt8>) throws(HTTPFault) -> Run {
        var index = 0
        while index < bytes.count {
            switch state {
            case .chunkData:
                let content = takeContent(upTo: bytes.count - index)
                if remaining == 0 { state = .dataCR }
                return Run(framing: index, content: content)
            case .fixedLength:
                let content = takeContent(upTo: bytes.count - index)
                if remaining == 0 { state = .end }
                return Run(framing: index, content: content)
            case .untilClose:
                remaining = bytes.count - index
                return Run(framing: index, content: takeContent(upTo: remaining))
            case .trailer:
                let consumed = try trailerParser.consume(bytes, from: index, at: offset)
                index += consumed
                offset += consumed
                if trailerParser.isComplete { state = .end }
            case .end:
                return Run(framing: index, content: 0)
            case .chunkExtension:
                try readExtensions(bytes, from: &index)
            case .dataCR where skipPlainFraming(bytes, from: &index):
                continue
            case .firstSizeDigit, .sizeDigit, .sizeLF, .dataCR, .dataLF, .trailerStart, .finalLF:
                if try step(bytes[index]) {
                    index += 1
                    offset += 1
                }
            }
        }
        return Run(framing: index, content: 0)
    }

    /// Goes from the end of a chunk's data to the next chunk's where all between is here and plain.
    ///
    /// Plain is CRLF, up to seven digits that are not all zero, CRLF. It only goes faster over what
    /// `step` would take byte by byte: bodies of very small chunks cost little more than others.
    private mutating func skipPlainFraming(_ bytes: Span<UInt8>, from index: inout Int) -> Bool {
        var end = index + 2
        let lastDigit = min(bytes.count - 3, end + 6)
        guard end <= lastDigit, bytes[index] == ASCII.CR, bytes[index + 1] == ASCII.LF else {
            return false
        }
        var size = 0
        while end <= lastDigit, let digit = ASCII.hexValue(of: bytes[end]) {
            size = size << 4 | digit
            end += 1
        }
        guard size > 0, bytes[end] == ASCII.CR, bytes[end + 1] == ASCII.LF else { return false }
        remaining = size
        state = .chunkData
        offset += end + 2 - index
        index = end + 2
        return true
    }

    /// Ends the input, which is an error unless the body is complete or ends with it.
    package mutating func finish() throws(HTTPFault) {
        switch state {
        case .end: break
        case .untilClose: state = .end
        case .firstSizeDigit, .sizeDigit, .chunkExtension, .sizeLF, .chunkData, .dataCR,
            .dataLF, .trailerStart, .trailer, .finalLF, .fixedLength:
            throw fault(.bodyTruncated)
        }
    }

    private mutating func takeContent(upTo available: Int) -> Int {
        let count = min(remaining, available)
        remaining -= count
        // These count bytes that have passed by: no peer lives to send 2^63 of them.
        offset += count
        contentCount += count
        return count
    }

    /// Advances over one byte of framing; returns false if the next state has to look at it.
    private mutating func step(_ byte: UInt8) throws(HTTPFault) -> Bool {
        switch state {
        case .firstSizeDigit:
            remaining = 0
            sizeDigits = 0
            guard let digit = ASCII.hexValue(of: byte) else {
                switch byte {
                case ASCII.CR, ASCII.LF, ASCII.semicolon: throw fault(.chunkSizeMissing)
                default: throw fault(.chunkSizeInvalid)
                }
            }
            try addDigit(digit)
            state = .sizeDigit

        case .sizeDigit:
            if let digit = ASCII.hexValue(of: byte) {
                try addDigit(digit)
            } else {
                return try endSize(byte)
            }

        case .sizeLF:
            guard byte == ASCII.LF else { throw fault(.chunkLineEndInvalid) }
            state = remaining == 0 ? .trailerStart : .chunkData

        case .dataCR:
            guard byte == ASCII.CR else { throw fault(.chunkDataEndInvalid) }
            state = .dataLF

        case .dataLF:
            guard byte == ASCII.LF else { throw fault(.chunkDataEndInvalid) }
            state = .firstSizeDigit

        case .trailerStart:
            guard byte == ASCII.CR else {
                state = .trailer
                return false
            }
            state = .finalLF

        case .finalLF:
            guard byte == ASCII.LF else { throw HTTPFault(.bareCR, at: offset - 1) }
            state = .end

        case .chunkExtension, .chunkData, .trailer, .fixedLength, .untilClose, .end:
            preconditionFailure("next(in:) takes extensions, content and trailers in runs")
        }
        return true
    }

    private mutating func addDigit(_ digit: Int) throws(HTTPFault) {
        sizeDigits += 1
        // Compared before it is shifted: below 2^59, one more digit cannot overflow.
        guard sizeDigits <= 16, remaining < 1 << 59 else { throw fault(.chunkSizeTooLarge) }
        remaining = remaining << 4 | digit
    }

    /// Takes the byte after the last digit of a size.
    ///
    /// - Returns: False if it is the first of the extensions.
    private mutating func endSize(_ byte: UInt8) throws(HTTPFault) -> Bool {
        switch byte {
        case ASCII.CR: state = .sizeLF
        case ASCII.LF: throw fault(.chunkLineEndInvalid)
        case ASCII.semicolon, ASCII.SP, ASCII.HTAB:
            extensionParser = ChunkExtensionParser()
            state = .chunkExtension
            return false
        default: throw fault(.chunkSizeInvalid)
        }
        return true
    }

    /// Reads extensions up to the CR that ends their line, or as far as the bytes go.
    private mutating func readExtensions(
        _ bytes: Span<UInt8>,
        from index: inout Int
    ) throws(HTTPFault) {
        let start = index
        // A copy, so that the loop keeps its state in registers.
        var parser = extensionParser
        defer { extensionParser = parser }
        let room = limits.chunkExtensionBytes - extensionBytes
        while index < bytes.count {
            let step = parser.consume(bytes[index])
            if case .inside = step, index - start < room {
                index += 1
                continue
            }
            // The fault, if it is one, is at this byte.
            offset += index - start
            extensionBytes += index - start
            switch step {
            case .inside: throw fault(.chunkExtensionTooLong)
            case .invalid:
                let isBareLF = bytes[index] == ASCII.LF
                throw fault(isBareLF ? .chunkLineEndInvalid : .chunkExtensionInvalid)
            case .lineEnd:
                index += 1
                offset += 1
                state = .sizeLF
                return
            }
        }
        offset += index - start
        extensionBytes += index - start
    }

    private func fault(_ reason: HTTPReason) -> HTTPFault { HTTPFault(reason, at: offset) }
}
