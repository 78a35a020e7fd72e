import Wire

/// Reads the head of a request: request line, field lines, empty line (RFC 9112 §2.1, §3).
///
///     request-line = method SP request-target SP HTTP-version CRLF
///
/// Input may be cut anywhere. A defect of the syntax is a fault of `consume` at the first
/// offending byte; what only the whole head can tell (host, framing) is a fault of `takeHead`.
/// One empty line before the request line is skipped, as RFC 9112 §2.2 asks, but not a second:
/// a peer that sends them without end is not one that forgot where its body ended.
package struct RequestHeadParser: Sendable {
    /// What the next byte must be.
    private enum State {
        case start
        case leadingLF
        case method
        case methodLF
        case target
        case targetLF
        case version
        case versionLF
        case fields
        case end
    }

    private let limits: HeadLimits
    private var state = State.start

    /// The head as received, with an empty line in front if there was one.
    ///
    /// Never longer than `limits.headBytes`; without storage between two messages.
    private var bytes: [UInt8] = []

    private var methodStart = 0
    private var methodEnd = 0
    private var targetEnd = 0
    private var version = HTTPVersionParser()
    private var fields: FieldSectionParser

    package init(limits: HeadLimits) {
        self.limits = limits
        fields = Self.fieldParser(limits)
    }

    /// True once the empty line after the fields has been consumed.
    package var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// True once a byte of a request has been seen, not counting one empty line before it.
    package var hasBegun: Bool {
        switch state {
        case .start, .leadingLF: false
        case .method, .methodLF, .target, .targetLF, .version, .versionLF, .fields, .end: true
        }
    }

    /// Consumes `input` up to the end of the head.
    ///
    /// - Returns: How many bytes were consumed. Fewer than `input.count` only when the head is
    ///   complete; the rest belongs to the body.
    package mutating func consume(_ input: Span<UInt8>) throws(HTTPFault) -> Int {
        let base = bytes.count
        let end = min(input.count, max(0, limits.headBytes - base))
        var index = 0
        while index < end, !isComplete {
            switch state {
            case .target:
                index = try scanTarget(input, from: index, to: end, base: base)
            case .fields:
                index = try fields.consume(input, from: index, to: end, base: base)
                if fields.isComplete { state = .end }
            case .start, .leadingLF, .method, .methodLF, .targetLF, .version, .versionLF, .end:
                try step(input[index], at: base + index)
                index += 1
            }
        }
        guard isComplete || index == input.count else {
            throw HTTPFault(.headTooLarge, at: base + index)
        }
        bytes.append(index, of: input)
        return index
    }

    /// Judges the complete head as a whole, and begins the next one.
    package mutating func takeHead() throws(HTTPFault) -> RequestHead {
        precondition(isComplete, "takeHead() is for a complete head")
        // Taken out first, so that nobody else has them when they are classified.
        let bytes = bytes.taken()
        let lines = fields.takeLines()
        let parsed = self
        self = RequestHeadParser(limits: limits)
        return try RequestHead(
            method: parsed.methodStart..<parsed.methodEnd,
            target: parsed.methodEnd + 1..<parsed.targetEnd,
            minorVersion: parsed.version.minor,
            fields: FieldSection(bytes: bytes, lines: lines)
        )
    }

    private static func fieldParser(_ limits: HeadLimits) -> FieldSectionParser {
        FieldSectionParser(
            maximumLineBytes: limits.fieldLineBytes,
            maximumLines: limits.fields
        )
    }

    /// Advances over one byte of the request line.
    private mutating func step(_ byte: UInt8, at offset: Int) throws(HTTPFault) {
        switch state {
        case .start:
            if byte == ASCII.CR, offset == 0 {
                state = .leadingLF
            } else {
                methodStart = offset
                state = .method
                try stepMethod(byte, at: offset)
            }

        case .leadingLF:
            guard byte == ASCII.LF else { throw HTTPFault(.bareCR, at: offset - 1) }
            state = .start

        case .method:
            try stepMethod(byte, at: offset)

        case .methodLF:
            throw HTTPFault(byte == ASCII.LF ? .requestLineInvalid : .bareCR, at: offset - 1)

        case .targetLF:
            throw HTTPFault(byte == ASCII.LF ? .versionMissing : .bareCR, at: offset - 1)

        case .version:
            if byte == ASCII.CR, version.isComplete {
                state = .versionLF
            } else {
                try checkLength(at: offset)
                try version.consume(byte, at: offset)
            }

        case .versionLF:
            guard byte == ASCII.LF else { throw HTTPFault(.bareCR, at: offset - 1) }
            state = .fields

        case .target, .fields, .end:
            preconditionFailure("consume(_:) scans the target and the fields in runs")
        }
    }

    private mutating func stepMethod(_ byte: UInt8, at offset: Int) throws(HTTPFault) {
        if byte == ASCII.CR {
            state = .methodLF
            return
        }
        try checkLength(at: offset)
        if byte == ASCII.SP, offset > methodStart {
            methodEnd = offset
            state = .target
        } else if !ByteClass.token.contains(byte) {
            throw HTTPFault(.offending(byte, in: .methodInvalid), at: offset)
        }
    }

    private mutating func scanTarget(
        _ input: Span<UInt8>,
        from start: Int,
        to end: Int,
        base: Int
    ) throws(HTTPFault) -> Int {
        let left = max(0, limits.requestLineBytes - (base + start - methodStart))
        let stop = left < end - start ? start + left : end
        var index = start
        while index < stop, ByteClass.target.contains(input[index]) { index += 1 }
        guard index < end else { return index }
        let offset = base + index
        let isEmpty = offset == methodEnd + 1
        switch input[index] {
        case ASCII.CR:
            state = isEmpty ? .methodLF : .targetLF
        case _ where index == stop:
            throw HTTPFault(.requestLineTooLong, at: offset)
        case ASCII.SP:
            if isEmpty { throw HTTPFault(.requestLineInvalid, at: offset) }
            targetEnd = offset
            state = .version
        case UInt8(ascii: "#"):
            throw HTTPFault(.targetFragment, at: offset)
        case let byte:
            throw HTTPFault(.offending(byte, in: .targetInvalid), at: offset)
        }
        return index + 1
    }

    private func checkLength(at offset: Int) throws(HTTPFault) {
        guard offset - methodStart < limits.requestLineBytes else {
            throw HTTPFault(.requestLineTooLong, at: offset)
        }
    }
}

extension ByteClass {
    /// What a request-target may be made of: visible US-ASCII, but not `"`, `#`, `<` or `>`.
    ///
    /// That is RFC 3986 §2 and the characters that browsers leave unencoded in a query. A raw
    /// byte above US-ASCII has no agreed meaning in a target and is refused.
    static var target: ByteClass {
        ByteClass(low: 0xAFFF_FFF2_0000_0000, high: 0x7FFF_FFFF_FFFF_FFFF)
    }
}
