import Wire

/// Finds the lines of a head or trailer section, up to and with the empty line that ends it.
///
///     field-section = *( field-line CRLF ) CRLF
///     field-line    = field-name ":" OWS field-value OWS
///
/// RFC 9112 §5. Its strictness is the core of the defence against smuggling: a line ends with
/// CRLF and nothing else, a name is a token directly followed by the colon, no line continues
/// another, and no control character but HTAB passes. The parser keeps ranges, never bytes.
struct FieldSectionParser: Sendable {
    /// What the next byte must be.
    private enum State {
        case lineStart
        case name
        case nameLF
        case value
        case valueLF
        case finalLF
        case end
    }

    private var state = State.lineStart
    private let maximumLineBytes: Int
    private let maximumLines: Int

    private var lineStart = 0
    private var colon = 0
    private var valueEnd = 0

    /// The lines found so far; their values still have the whitespace around them.
    private(set) var lines: [FieldLine] = []

    init(maximumLineBytes: Int, maximumLines: Int) {
        self.maximumLineBytes = maximumLineBytes
        self.maximumLines = maximumLines
    }

    /// Gives the lines away.
    mutating func takeLines() -> [FieldLine] { lines.taken() }

    /// True once the empty line has been consumed.
    var isComplete: Bool {
        if case .end = state { true } else { false }
    }

    /// Consumes `bytes[start..<end]`, of which the byte at index 0 has the offset `base`.
    ///
    /// - Returns: The index after the last byte consumed: `end`, unless the section is complete.
    mutating func consume(
        _ bytes: Span<UInt8>,
        from start: Int,
        to end: Int,
        base: Int
    ) throws(HTTPFault) -> Int {
        var index = start
        while index < end {
            switch state {
            case .lineStart:
                index += try beginLine(bytes[index], at: base + index)
            case .name:
                index = try scanName(bytes, from: index, to: end, base: base)
            case .value:
                index = try scanValue(bytes, from: index, to: end, base: base)
            case .nameLF, .valueLF, .finalLF:
                try endLine(bytes[index], at: base + index)
                index += 1
            case .end:
                return index
            }
        }
        return index
    }

    /// Looks at the first byte of a line; returns how many bytes it has dealt with.
    private mutating func beginLine(_ byte: UInt8, at offset: Int) throws(HTTPFault) -> Int {
        switch byte {
        case ASCII.CR:
            state = .finalLF
            return 1
        case ASCII.SP, ASCII.HTAB:
            throw HTTPFault(lines.isEmpty ? .leadingWhitespace : .fieldFolded, at: offset)
        case ASCII.colon:
            throw HTTPFault(.fieldNameEmpty, at: offset)
        default:
            guard lines.count < maximumLines else { throw HTTPFault(.tooManyFields, at: offset) }
            if lines.isEmpty { lines.reserveCapacity(min(16, maximumLines)) }
            lineStart = offset
            state = .name
            return 0
        }
    }

    private mutating func scanName(
        _ bytes: Span<UInt8>,
        from start: Int,
        to end: Int,
        base: Int
    ) throws(HTTPFault) -> Int {
        let stop = limit(from: start, to: end, base: base)
        var index = start
        while index < stop, ByteClass.token.contains(bytes[index]) { index += 1 }
        guard index < end else { return index }
        let offset = base + index
        switch bytes[index] {
        case ASCII.CR:
            state = .nameLF
        case _ where index == stop:
            throw HTTPFault(.fieldLineTooLong, at: offset)
        case ASCII.colon:
            colon = offset
            state = .value
        case ASCII.SP, ASCII.HTAB:
            throw HTTPFault(.spaceBeforeColon, at: offset)
        case let byte:
            throw HTTPFault(.offending(byte, in: .fieldNameInvalid), at: offset)
        }
        return index + 1
    }

    private mutating func scanValue(
        _ bytes: Span<UInt8>,
        from start: Int,
        to end: Int,
        base: Int
    ) throws(HTTPFault) -> Int {
        let stop = limit(from: start, to: end, base: base)
        var index = start
        while index < stop {
            // Most bytes of a value are visible US-ASCII, which one comparison settles
            // (&- wraps what is below SP to the top, out of the range).
            let byte = bytes[index]
            guard byte &- 0x20 < 0x5F || ByteClass.fieldValue.contains(byte) else { break }
            index += 1
        }
        guard index < end else { return index }
        let offset = base + index
        switch bytes[index] {
        case ASCII.CR:
            valueEnd = offset
            state = .valueLF
        case _ where index == stop:
            throw HTTPFault(.fieldLineTooLong, at: offset)
        case let byte:
            throw HTTPFault(.offending(byte, in: .fieldValueControl), at: offset)
        }
        return index + 1
    }

    /// The index that the current line may reach but not pass.
    private func limit(from start: Int, to end: Int, base: Int) -> Int {
        let left = max(0, maximumLineBytes - (base + start - lineStart))
        return left < end - start ? start + left : end
    }

    /// Takes the byte after a CR.
    private mutating func endLine(_ byte: UInt8, at offset: Int) throws(HTTPFault) {
        guard byte == ASCII.LF else { throw HTTPFault(.bareCR, at: offset - 1) }
        switch state {
        case .nameLF:
            throw HTTPFault(.fieldNoColon, at: offset - 1)
        case .finalLF:
            state = .end
        case .lineStart, .name, .value, .valueLF, .end:
            lines.append(
                FieldLine(
                    name: lineStart..<colon,
                    value: colon + 1..<valueEnd,
                    known: .other
                )
            )
            state = .lineStart
        }
    }
}
