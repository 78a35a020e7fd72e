internal import Wire

/// Reads what follows the close-delimiter: nothing, CRLF, or CRLF CRLF, and then the end.
///
/// Anything else is reported once, and then skipped as fast as it comes: an epilogue has no meaning
/// in form data (RFC 2046 §5.1.1 has readers ignore it), and all of it could hide a part.
struct Epilogue {
    /// What the next byte must be, if there is one.
    private enum State {
        case lineStart
        case padding
        case LF
        case anything
    }

    private var state = State.lineStart
    private var lineEnds = 0

    /// True if a CR came last.
    var endsInCR: Bool {
        if case .LF = state { true } else { false }
    }

    /// Reads from `index` on, up to the next fact or the end of the span.
    ///
    /// `spanOffset` is the body offset of the first byte of `bytes`.
    mutating func next(
        in bytes: Span<UInt8>,
        from index: inout Int,
        at spanOffset: Int
    ) -> MultipartFact? {
        while index < bytes.count {
            let offset = spanOffset + index
            switch (state, bytes[index]) {
            case (.anything, _):
                index = bytes.count
                return nil
            case (.LF, ASCII.LF):
                index += 1
                lineEnds += 1
                state = .lineStart
            case (.LF, _):
                lineEnds += 1
                state = .lineStart
                return MultipartFact(.lineBareCR, at: offset - 1)
            case (.lineStart, ASCII.CR) where lineEnds < 2, (.padding, ASCII.CR):
                index += 1
                state = .LF
            case (.lineStart, ASCII.LF) where lineEnds < 2, (.padding, ASCII.LF):
                index += 1
                lineEnds += 1
                state = .lineStart
                return MultipartFact(.lineBareLF, at: offset)
            case (.lineStart, ASCII.SP) where lineEnds == 0,
                (.lineStart, ASCII.HTAB) where lineEnds == 0:
                index += 1
                state = .padding
                return MultipartFact(.delimiterPadding, at: offset)
            case (.padding, ASCII.SP), (.padding, ASCII.HTAB):
                index += 1
            case (.lineStart, _), (.padding, _):
                index += 1
                state = .anything
                return MultipartFact(.epiloguePresent, at: offset)
            }
        }
        return nil
    }
}
