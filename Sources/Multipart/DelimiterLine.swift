internal import Wire

/// Reads what follows "--" boundary on its line.
///
///     rest = *( SP / HTAB ) ( CRLF / "--" )
///
/// A bare LF or CR is read as a line end, and reported. Anything else is a fault.
struct DelimiterLine {
    /// What the line turned out to be.
    enum End {
        case none
        /// The end of the line: a header block follows.
        case line
        /// The close-delimiter.
        case close
    }

    struct Step {
        var end = End.none
        var fact: MultipartFact?

        /// False where the byte belongs to what follows the line.
        var isConsumed = true
    }

    /// What the next byte must be.
    private enum State {
        case first
        case afterPadding
        case secondDash
        case LF
    }

    private var state = State.first
    private var paddingCount = 0

    mutating func step(
        _ byte: UInt8,
        at offset: Int,
        limits: MultipartLimits
    ) throws(MultipartFault) -> Step {
        switch (state, byte) {
        case (.first, ASCII.dash), (.afterPadding, ASCII.dash):
            state = .secondDash
            return Step()
        case (.first, ASCII.CR), (.afterPadding, ASCII.CR):
            state = .LF
            return Step()
        case (.first, ASCII.LF), (.afterPadding, ASCII.LF):
            return Step(end: .line, fact: MultipartFact(.lineBareLF, at: offset))
        case (.first, ASCII.SP), (.first, ASCII.HTAB):
            state = .afterPadding
            paddingCount = 1
            return Step(fact: MultipartFact(.delimiterPadding, at: offset))
        case (.afterPadding, ASCII.SP), (.afterPadding, ASCII.HTAB):
            // Padding is not settled before its line ends, so it cannot go on for ever.
            guard paddingCount < limits.partHeaderLineBytes else {
                throw MultipartFault(.delimiterTrailingBytes, at: offset)
            }
            paddingCount += 1
            return Step()
        case (.secondDash, ASCII.dash):
            return Step(end: .close)
        case (.LF, ASCII.LF):
            return Step(end: .line)
        case (.LF, _):
            return Step(
                end: .line,
                fact: MultipartFact(.lineBareCR, at: offset - 1),
                isConsumed: false
            )
        case (.first, _), (.afterPadding, _), (.secondDash, _):
            throw MultipartFault(.delimiterTrailingBytes, at: offset)
        }
    }
}
