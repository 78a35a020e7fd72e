import Wire

/// Reads the head of a response: status line, field lines, empty line (RFC 9112 §2.1, §4).
///
///     status-line = HTTP-version SP status-code SP [ reason-phrase ] CRLF
///
/// As strict as the parser of requests, and for the same reason: what a client and a cache read
/// differently can answer one user with another's response. The one tolerance is a status line
/// without the second space, which several servers send and nobody misreads. There is no HTTP/0.9.
package struct ResponseHeadParser: Sendable {
    /// What the next byte must be.
    private enum State {
        case version
        case code
        case codeEnd
        case reason
        case lineLF
        case fields
        case end
    }

    private let limits: HeadLimits
    private var state = State.version

    /// The head as received; never longer than `limits.headBytes`.
    private var bytes: [UInt8] = []

    private var version = HTTPVersionParser()
    private var status = 0
    private var reasonStart = 0
    private var lineEnd = 0
    private var fields: FieldSectionParser

    package init(limits: HeadLimits) {
        self.limits = limits
        fields = FieldSectionParser(
            maximumLineBytes: limits.fieldLineBytes,
            maximumLines: limits.fields
        )
    }

    /// True once the empty line after the fields has been consumed.
    package var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// True once a byte of a response has been seen.
    package var hasBegun: Bool { !bytes.isEmpty }

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
            case .fields:
                index = try fields.consume(input, from: index, to: end, base: base)
                if fields.isComplete { state = .end }
            case .version, .code, .codeEnd, .reason, .lineLF, .end:
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

    /// Judges the complete head as the answer to a request with `method`, and begins the next.
    package mutating func takeHead(answering method: String) throws(HTTPFault) -> ResponseHead {
        precondition(isComplete, "takeHead(answering:) is for a complete head")
        // Taken out first, so that nobody else has them when they are classified.
        let bytes = bytes.taken()
        let lines = fields.takeLines()
        let parsed = self
        self = ResponseHeadParser(limits: limits)
        return try ResponseHead(
            status: parsed.status,
            reason: parsed.reasonStart..<parsed.lineEnd,
            minorVersion: parsed.version.minor,
            fields: FieldSection(bytes: bytes, lines: lines),
            method: method
        )
    }

    /// Advances over one byte of the status line.
    private mutating func step(_ byte: UInt8, at offset: Int) throws(HTTPFault) {
        switch state {
        case .version:
            try checkLength(at: offset)
            if !version.isComplete {
                try version.consume(byte, at: offset)
            } else if byte == ASCII.SP {
                state = .code
            } else {
                throw HTTPFault(.offending(byte, in: .statusLineInvalid), at: offset)
            }

        case .code:
            try checkLength(at: offset)
            // The version is eight bytes, so the first digit is the tenth.
            let allowed = offset == 9 ? UInt8(ascii: "1")...UInt8(ascii: "5") : Self.digits
            guard allowed.contains(byte) else {
                throw HTTPFault(.offending(byte, in: .statusCodeInvalid), at: offset)
            }
            status = status * 10 + Int(byte - UInt8(ascii: "0"))
            if offset == 11 { state = .codeEnd }

        case .codeEnd:
            reasonStart = offset
            if byte == ASCII.CR {
                endLine(at: offset)
            } else if byte == ASCII.SP {
                try checkLength(at: offset)
                reasonStart = offset + 1
                state = .reason
            } else {
                throw HTTPFault(.offending(byte, in: .statusCodeInvalid), at: offset)
            }

        case .reason:
            if byte == ASCII.CR {
                endLine(at: offset)
            } else {
                try checkLength(at: offset)
                guard ByteClass.fieldValue.contains(byte) else {
                    throw HTTPFault(.offending(byte, in: .statusLineInvalid), at: offset)
                }
            }

        case .lineLF:
            guard byte == ASCII.LF else { throw HTTPFault(.bareCR, at: offset - 1) }
            state = .fields

        case .fields, .end:
            preconditionFailure("consume(_:) scans the fields in runs")
        }
    }

    private static var digits: ClosedRange<UInt8> { UInt8(ascii: "0")...UInt8(ascii: "9") }

    private mutating func endLine(at offset: Int) {
        lineEnd = offset
        state = .lineLF
    }

    private func checkLength(at offset: Int) throws(HTTPFault) {
        guard offset < limits.requestLineBytes else {
            throw HTTPFault(.statusLineTooLong, at: offset)
        }
    }
}
