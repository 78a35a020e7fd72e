import Wire

/// Reads the extensions of one chunk line (RFC 9112 §7.1.1).
///
///     chunk-ext      = *( BWS ";" BWS chunk-ext-name [ BWS "=" BWS chunk-ext-val ] )
///     chunk-ext-name = token
///     chunk-ext-val  = token / quoted-string
///
/// Nothing here uses an extension, but the whole grammar is checked: parsers that skip to the
/// end of the line disagree on where that is, also inside quotes, and that has smuggled requests.
struct ChunkExtensionParser: Sendable {
    enum Step {
        /// The byte belongs to the extensions.
        case inside
        /// The byte is the CR that ends the line.
        case lineEnd
        /// The byte breaks the grammar.
        case invalid
    }

    /// What the next byte must be.
    private enum State {
        case semicolon
        case nameStart
        case name
        case equalsOrSemicolon
        case valueStart
        case value
        case quoted
        case quotedPair
        case quotedEnd
    }

    private var state = State.semicolon

    /// Takes the next byte of a chunk line, the first of which is the one after the size.
    mutating func consume(_ byte: UInt8) -> Step {
        switch state {
        case .semicolon:
            if byte == ASCII.semicolon { return go(to: .nameStart) }
            return isWhitespace(byte) ? .inside : .invalid

        case .nameStart:
            if isWhitespace(byte) { return .inside }
            return ByteClass.token.contains(byte) ? go(to: .name) : .invalid

        case .name:
            if ByteClass.token.contains(byte) { return .inside }
            if byte == ASCII.CR { return .lineEnd }
            return afterName(byte)

        case .equalsOrSemicolon:
            return afterName(byte)

        case .valueStart:
            if isWhitespace(byte) { return .inside }
            if byte == ASCII.quote { return go(to: .quoted) }
            return ByteClass.token.contains(byte) ? go(to: .value) : .invalid

        case .value:
            return ByteClass.token.contains(byte) ? .inside : afterValue(byte)

        case .quoted:
            if byte == ASCII.quote { return go(to: .quotedEnd) }
            if byte == ASCII.backslash { return go(to: .quotedPair) }
            return ByteClass.fieldValue.contains(byte) ? .inside : .invalid

        case .quotedPair:
            return ByteClass.fieldValue.contains(byte) ? go(to: .quoted) : .invalid

        case .quotedEnd:
            return afterValue(byte)
        }
    }

    private mutating func afterName(_ byte: UInt8) -> Step {
        if byte == ASCII.equals { return go(to: .valueStart) }
        if byte == ASCII.semicolon { return go(to: .nameStart) }
        return isWhitespace(byte) ? go(to: .equalsOrSemicolon) : .invalid
    }

    private mutating func afterValue(_ byte: UInt8) -> Step {
        if byte == ASCII.CR { return .lineEnd }
        if byte == ASCII.semicolon { return go(to: .nameStart) }
        return isWhitespace(byte) ? go(to: .semicolon) : .invalid
    }

    private mutating func go(to next: State) -> Step {
        state = next
        return .inside
    }

    private func isWhitespace(_ byte: UInt8) -> Bool { byte == ASCII.SP || byte == ASCII.HTAB }
}
