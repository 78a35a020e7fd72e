internal import Wire

/// Reads one header block into a bounded copy and the ranges of its fields.
///
///     header-block = *( field-name ":" OWS field-value OWS CRLF ) CRLF
///
/// The copy has one byte for each byte of the body, so an index in it is an offset in the block.
/// A bare LF or CR is read as the line end it was probably meant to be, and reported: parsers
/// differ on it, so what follows is only one of its readings. A folded line continues the field
/// before it, and its line end becomes spaces (RFC 9112 §5.2).
struct PartHeadParser {
    enum Event {
        /// Everything was read, and the block is not complete.
        case needsMore
        case found(MultipartFact)
        case complete
    }

    /// What the next byte must be.
    private enum State {
        case lineStart
        case leadingSpace
        case name
        case spaceAfterName
        case valueStart
        case value
        case lineLF
        case emptyLineLF
        case end
    }

    /// What has been said about the current line, so that it is said once.
    private struct Reported: OptionSet {
        let rawValue: UInt8
        static var badName: Reported { Reported(rawValue: 1) }
        static var control: Reported { Reported(rawValue: 2) }
        static var NUL: Reported { Reported(rawValue: 4) }
        static var noColon: Reported { Reported(rawValue: 8) }
    }

    /// The body offset of the first byte of the block.
    private(set) var headOffset: Int

    private(set) var block: [UInt8] = []
    private(set) var fields: [PartHead.Field] = []

    private let limits: MultipartLimits
    private var state = State.lineStart
    private var reported: Reported = []
    private var lineCount = 0

    // Indices in the block, about the current line; each is set before the state that reads it.
    private var lineStart = 0
    private var nameStart = 0
    private var nameEnd = 0
    private var valueStart = 0
    private var valueEnd = 0

    /// Where the line end before the current line begins.
    private var lastLineEnd = 0

    /// True if the line before is a field, or continues one.
    private var followsField = false

    init(at headOffset: Int, limits: MultipartLimits) {
        self.headOffset = headOffset
        self.limits = limits
    }

    /// Begins another block, in the memory of the one before.
    mutating func begin(at headOffset: Int) {
        self.headOffset = headOffset
        block.removeAll(keepingCapacity: true)
        fields.removeAll(keepingCapacity: true)
        state = .lineStart
        lineCount = 0
        followsField = false
    }

    /// Reads from `index` on, up to the next event.
    mutating func next(
        in bytes: Span<UInt8>,
        from index: inout Int
    ) throws(MultipartFault) -> Event {
        if case .end = state { return .complete }
        while index < bytes.count {
            let byte = bytes[index]
            switch state {
            case .lineStart:
                if takeLine(of: bytes, from: &index) { continue }
                if let fact = try startLine(byte, &index) { return .found(fact) }
            case .leadingSpace:
                if isSpace(byte) { try take(byte, &index) } else { startName() }
            case .name, .spaceAfterName:
                if let fact = try readName(byte, &index) { return .found(fact) }
            case .valueStart:
                if isSpace(byte) { try take(byte, &index) } else { startValue() }
            case .value:
                let copied = copyValue(of: bytes, from: &index)
                if !copied, let fact = try readValue(byte, &index) { return .found(fact) }
            case .lineLF, .emptyLineLF:
                let fact = try endLine(byte, &index)
                if let fact { return .found(fact) }
                if case .end = state { return .complete }
            case .end:
                return .complete
            }
        }
        return .needsMore
    }

    /// Takes a whole line that has nothing odd in it and breaks no limit; false where there is none.
    ///
    /// It only goes faster over what is otherwise taken byte by byte.
    private mutating func takeLine(of bytes: Span<UInt8>, from index: inout Int) -> Bool {
        let room = min(limits.partHeaderBytes - block.count, bytes.count - index)
        guard room > 0, lineCount < limits.partHeaderFields else { return false }
        let line = bytes.extracting(index..<index + room)
        let nameEnd = ByteClass.token.end(ofRunIn: line, from: 0)
        guard nameEnd > 0, nameEnd < room, line[nameEnd] == ASCII.colon else { return false }
        var value = nameEnd + 1
        while value < room, isSpace(line[value]) { value += 1 }
        let end = ByteClass.fieldValue.end(ofRunIn: line, from: value)
        guard end <= limits.partHeaderLineBytes, end + 1 < room, line[end] == ASCII.CR,
            line[end + 1] == ASCII.LF
        else { return false }
        var valueEnd = end
        while valueEnd > value, isSpace(line[valueEnd - 1]) { valueEnd -= 1 }
        let start = block.count
        fields.append(
            PartHead.Field(
                name: start..<start + nameEnd,
                value: start + value..<start + valueEnd
            )
        )
        lineCount += 1
        followsField = true
        lastLineEnd = start + end
        block.append(end + 2, of: line)
        index += end + 2
        return true
    }

    private mutating func startLine(
        _ byte: UInt8,
        _ index: inout Int
    ) throws(MultipartFault) -> MultipartFact? {
        lineStart = block.count
        let offset = offset
        switch byte {
        case ASCII.CR:
            try take(byte, &index)
            state = .emptyLineLF
            return nil
        case ASCII.LF:
            try take(byte, &index)
            state = .end
            return MultipartFact(.lineBareLF, at: offset)
        case ASCII.SP, ASCII.HTAB:
            if followsField, let field = fields.popLast() {
                for end in lastLineEnd..<block.count { block[end] = ASCII.SP }
                nameStart = field.name.lowerBound
                nameEnd = field.name.upperBound
                valueStart = field.value.lowerBound
                valueEnd = field.value.upperBound
                state = field.value.isEmpty ? .valueStart : .value
            } else {
                try countLine()
                state = .leadingSpace
            }
            reported = []
            try take(byte, &index)
            return MultipartFact(.partHeaderFolded, at: offset)
        default:
            try countLine()
            reported = []
            startName()
            return nil
        }
    }

    private mutating func readName(
        _ byte: UInt8,
        _ index: inout Int
    ) throws(MultipartFault) -> MultipartFact? {
        let offset = offset
        switch byte {
        case ASCII.colon:
            let spaceOffset = headOffset + nameEnd
            let hasSpace = if case .spaceAfterName = state { true } else { false }
            try take(byte, &index)
            state = .valueStart
            if nameStart == nameEnd { return once(.badName, .partHeaderBadName, at: offset) }
            return hasSpace ? MultipartFact(.partHeaderSpaceBeforeColon, at: spaceOffset) : nil
        case ASCII.CR, ASCII.LF:
            if let fact = once(.noColon, .partHeaderNoColon, at: offset) { return fact }
            followsField = false
            return try startLineEnd(byte, &index)
        case ASCII.SP, ASCII.HTAB:
            try take(byte, &index)
            state = .spaceAfterName
            return nil
        default:
            if case .spaceAfterName = state {
                state = .name
                let space = headOffset + nameEnd
                if let fact = once(.badName, .partHeaderBadName, at: space) { return fact }
            }
            try take(byte, &index)
            nameEnd = block.count
            if ByteClass.token.contains(byte) { return nil }
            return byte == ASCII.NUL
                ? once(.NUL, .partHeaderNUL, at: offset)
                : once(.badName, .partHeaderBadName, at: offset)
        }
    }

    private mutating func readValue(
        _ byte: UInt8,
        _ index: inout Int
    ) throws(MultipartFault) -> MultipartFact? {
        let offset = offset
        if ByteClass.fieldValue.contains(byte) {
            try take(byte, &index)
            if !isSpace(byte) { valueEnd = block.count }
            return nil
        }
        if byte == ASCII.CR || byte == ASCII.LF {
            fields.append(
                PartHead.Field(name: nameStart..<nameEnd, value: valueStart..<valueEnd)
            )
            followsField = true
            return try startLineEnd(byte, &index)
        }
        try take(byte, &index)
        valueEnd = block.count
        return byte == ASCII.NUL
            ? once(.NUL, .partHeaderNUL, at: offset)
            : once(.control, .partHeaderControl, at: offset)
    }

    /// Copies what of a value is neither odd nor over a limit; false where that is nothing.
    ///
    /// It only goes faster over what `readValue` would take byte by byte.
    private mutating func copyValue(of bytes: Span<UInt8>, from index: inout Int) -> Bool {
        let lineRoom = limits.partHeaderLineBytes - (block.count - lineStart)
        let room = min(limits.partHeaderBytes - block.count, lineRoom, bytes.count - index)
        guard room > 0 else { return false }
        let reach = bytes.extracting(index..<index + room)
        let count = ByteClass.fieldValue.end(ofRunIn: reach, from: 0)
        guard count > 0 else { return false }
        var text = count
        while text > 0, isSpace(reach[text - 1]) { text -= 1 }
        if text > 0 { valueEnd = block.count + text }
        block.append(count, of: reach)
        index += count
        return true
    }

    private mutating func startName() {
        nameStart = block.count
        nameEnd = block.count
        state = .name
    }

    private mutating func startValue() {
        valueStart = block.count
        valueEnd = block.count
        state = .value
    }

    private mutating func startLineEnd(
        _ byte: UInt8,
        _ index: inout Int
    ) throws(MultipartFault) -> MultipartFact? {
        let offset = offset
        lastLineEnd = block.count
        try take(byte, &index)
        state = byte == ASCII.CR ? .lineLF : .lineStart
        return byte == ASCII.CR ? nil : MultipartFact(.lineBareLF, at: offset)
    }

    /// Reads the byte after a CR: LF, or the first byte of what follows a bare CR.
    private mutating func endLine(
        _ byte: UInt8,
        _ index: inout Int
    ) throws(MultipartFault) -> MultipartFact? {
        if case .emptyLineLF = state { state = .end } else { state = .lineStart }
        guard byte != ASCII.LF else {
            try take(byte, &index)
            return nil
        }
        return MultipartFact(.lineBareCR, at: offset - 1)
    }

    private mutating func countLine() throws(MultipartFault) {
        guard lineCount < limits.partHeaderFields else {
            throw MultipartFault(.partHeaderTooMany, at: offset)
        }
        lineCount += 1
    }

    /// Copies one byte; a line end counts towards the block but not towards its line.
    private mutating func take(_ byte: UInt8, _ index: inout Int) throws(MultipartFault) {
        guard block.count < limits.partHeaderBytes else {
            throw MultipartFault(.partHeaderBlockTooLarge, at: offset)
        }
        guard
            block.count - lineStart < limits.partHeaderLineBytes || byte == ASCII.CR
                || byte == ASCII.LF
        else { throw MultipartFault(.partHeaderLineTooLong, at: offset) }
        block.append(byte)
        index += 1
    }

    private mutating func once(
        _ flag: Reported,
        _ reason: MultipartReason,
        at offset: Int
    ) -> MultipartFact? {
        reported.insert(flag).inserted ? MultipartFact(reason, at: offset) : nil
    }

    /// The body offset of the next byte.
    private var offset: Int { headOffset + block.count }
}

private func isSpace(_ byte: UInt8) -> Bool { byte == ASCII.SP || byte == ASCII.HTAB }
