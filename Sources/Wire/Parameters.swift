/// A field value with parameters, as in Content-Type and Content-Disposition, taken apart.
///
///     field      = value *( OWS ";" OWS [ parameter ] )
///     parameter  = name "=" ( token / quoted-string )      (RFC 9110 §5.6.6)
///
/// It never fails: whatever leaves this grammar is read on in the most common way and listed as a
/// problem with its offset, so that the caller can say which of them matter. It keeps ranges, no
/// bytes, and goes through the value once, without recursion.
///
/// Inside quotes only `\"` is special; every other backslash is itself, because senders put
/// Windows paths there and escape nothing.
public struct Parameters: Sendable {
    /// One parameter, as ranges of the field value.
    public struct Parameter: Equatable, Sendable {
        public let name: Range<Int>

        /// The value, without its quotes; nothing is unescaped.
        public let value: Range<Int>

        public let isQuoted: Bool
    }

    /// What stands before the first semicolon or space.
    public private(set) var value: Range<Int>

    /// The parameters in order, repeated ones included.
    public private(set) var list: [Parameter] = []

    /// What is odd, by ascending offset, but for an unterminated quote, which is found at its end.
    public private(set) var problems: [ParameterProblem] = []

    /// The index of the next byte to read.
    private var index = 0

    public init(parsing field: Span<UInt8>) {
        value = 0..<0
        skipWhitespace(in: field)
        value = readUnquoted(.leadingValueByte, parameter: nil, in: field)
        while true {
            skipWhitespace(in: field)
            guard index < field.count else { return }
            if field[index] == ASCII.semicolon {
                let semicolon = index
                index += 1
                skipWhitespace(in: field)
                guard index < field.count, field[index] != ASCII.semicolon else {
                    problems.append(ParameterProblem(.emptyParameter, at: semicolon))
                    continue
                }
            } else if problems.last != ParameterProblem(.bytesAfterQuote, at: index) {
                problems.append(ParameterProblem(.missingSemicolon, at: index))
            }
            readParameter(in: field)
        }
    }

    /// Reads from a byte that is neither whitespace nor ";", and consumes at least that byte.
    private mutating func readParameter(in field: Span<UInt8>) {
        let number = list.count
        let name = readName(in: field)
        let nameEnd = index
        skipWhitespace(in: field)
        guard index < field.count, field[index] == ASCII.equals else {
            problems.append(ParameterProblem(.missingEquals, at: nameEnd))
            return
        }
        if name.isEmpty {
            problems.append(ParameterProblem(.nameByte, at: index))
        }
        let equals = index
        index += 1
        skipWhitespace(in: field)
        if equals != nameEnd || index != equals + 1 {
            let space = equals != nameEnd ? nameEnd : equals + 1
            problems.append(
                ParameterProblem(.spaceAroundEquals, at: space, parameter: number)
            )
        }
        guard index < field.count, field[index] != ASCII.semicolon else {
            problems.append(ParameterProblem(.emptyValue, at: index, parameter: number))
            list.append(Parameter(name: name, value: index..<index, isQuoted: false))
            return
        }
        if field[index] == ASCII.quote {
            let value = readQuoted(parameter: number, in: field)
            list.append(Parameter(name: name, value: value, isQuoted: true))
        } else {
            let value = readUnquoted(.valueByte, parameter: number, in: field)
            list.append(Parameter(name: name, value: value, isQuoted: false))
        }
    }

    private mutating func readName(in field: Span<UInt8>) -> Range<Int> {
        let start = index
        var isReported = false
        while index < field.count, field[index] != ASCII.equals, !endsUnquoted(field[index]) {
            if !ByteClass.token.contains(field[index]), !isReported {
                problems.append(ParameterProblem(.nameByte, at: index))
                isReported = true
            }
            index += 1
        }
        return start..<index
    }

    /// Reads up to the next ";", whitespace, or the end.
    private mutating func readUnquoted(
        _ kind: ParameterProblem.Kind,
        parameter: Int?,
        in field: Span<UInt8>
    ) -> Range<Int> {
        let start = index
        var isReported = false
        while index < field.count, !endsUnquoted(field[index]) {
            let byte = field[index]
            let isAllowed =
                ByteClass.token.contains(byte)
                || kind == .leadingValueByte && byte == UInt8(ascii: "/")
            if !isAllowed, !isReported {
                problems.append(ParameterProblem(kind, at: index, parameter: parameter))
                isReported = true
            }
            index += 1
        }
        return start..<index
    }

    /// Reads a quoted-string from its opening quote, and answers what is between the quotes.
    private mutating func readQuoted(parameter: Int, in field: Span<UInt8>) -> Range<Int> {
        let quote = index
        index += 1
        var isReported = false
        while index < field.count, field[index] != ASCII.quote {
            guard field[index] == ASCII.backslash else {
                index += 1
                continue
            }
            let run = index
            while index < field.count, field[index] == ASCII.backslash { index += 1 }
            guard index < field.count, field[index] == ASCII.quote else { continue }
            if !isReported {
                problems.append(
                    ParameterProblem(.escapedQuote, at: index - 1, parameter: parameter)
                )
                isReported = true
            }
            // In pairs, backslashes escape each other, and the quote is the closing one.
            if (index - run) % 2 == 1 { index += 1 }
        }
        let value = quote + 1..<index
        guard index < field.count else {
            problems.append(ParameterProblem(.unterminatedQuote, at: quote, parameter: parameter))
            return value
        }
        index += 1
        if index < field.count, !endsUnquoted(field[index]) {
            problems.append(ParameterProblem(.bytesAfterQuote, at: index))
        }
        return value
    }

    private mutating func skipWhitespace(in field: Span<UInt8>) {
        while index < field.count, field[index] == ASCII.SP || field[index] == ASCII.HTAB {
            index += 1
        }
    }
}

/// True for the bytes that end a token: ";" and whitespace.
private func endsUnquoted(_ byte: UInt8) -> Bool {
    byte == ASCII.semicolon || byte == ASCII.SP || byte == ASCII.HTAB
}
