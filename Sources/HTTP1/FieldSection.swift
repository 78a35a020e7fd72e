import Wire

/// The field lines of one message, in order, over the bytes that they arrived in.
///
/// Duplicates are kept and nothing is joined, so that what is forwarded is what was received
/// (RFC 9110 §5.3).
package struct FieldSection: Sendable, Equatable {
    /// The raw head (or trailer section): start line, field lines, and the empty line.
    package let bytes: [UInt8]

    package private(set) var lines: [FieldLine]

    /// Trims and classifies `lines`, whose ranges lie in `bytes`.
    init(bytes: consuming [UInt8], lines: consuming [FieldLine]) {
        var classified = lines
        let span = bytes.span
        for index in classified.indices {
            let line = classified[index]
            classified[index] = FieldLine(
                name: line.name,
                value: span.trimmingWhitespace(line.value),
                known: KnownField(name: span.extracting(line.name))
            )
        }
        self.lines = classified
        self.bytes = bytes
    }

    /// How many lines the field has.
    package func count(of field: KnownField) -> Int {
        var count = 0
        for line in lines where line.known == field { count += 1 }
        return count
    }

    /// The first line of the field, if it has any.
    package func firstLine(_ field: KnownField) -> FieldLine? {
        for line in lines where line.known == field { return line }
        return nil
    }

    /// The second line of the field: where a field that may appear once is wrong.
    func secondLine(_ field: KnownField) -> FieldLine? {
        var isSecond = false
        for line in lines where line.known == field {
            if isSecond { return line }
            isSecond = true
        }
        return nil
    }

    package func name(_ line: FieldLine) -> ArraySlice<UInt8> { bytes[line.name] }

    package func value(_ line: FieldLine) -> ArraySlice<UInt8> { bytes[line.value] }

    /// Lends the value of `line` to `body`.
    package func withValue<R>(_ line: FieldLine, _ body: (Span<UInt8>) throws -> R) rethrows -> R {
        try body(bytes.span.extracting(line.value))
    }

    /// The bytes of `range` as text; each sequence that is not UTF-8 becomes U+FFFD.
    package func text(of range: Range<Int>) -> String {
        bytes.span.extracting(range).repairedText
    }

    /// The value of the first line of the field, as text.
    package func text(_ field: KnownField) -> String? {
        firstLine(field).map { text(of: $0.value) }
    }

    /// True if the bytes of `range` are `text`, letters compared without case.
    package func matches(_ range: Range<Int>, _ text: String) -> Bool {
        bytes.span.extracting(range).equalsIgnoringCase(text)
    }

    /// True if a line of the comma-separated `field` has the element `token`, in any case.
    package func listContains(_ token: String, in field: KnownField) -> Bool {
        for line in lines where line.known == field {
            for element in elements(of: line) where matches(element, token) { return true }
        }
        return false
    }

    /// The elements of a comma-separated value, without the empty ones (RFC 9110 §5.6.1.2).
    func elements(of line: FieldLine) -> ListElements {
        ListElements(of: line.value, in: bytes)
    }
}

extension Span<UInt8> {
    /// `range` without SP and HTAB at both its ends.
    ///
    /// No other byte is whitespace in HTTP: not VT, FF, or the no-break space of Latin-1.
    func trimmingWhitespace(_ range: Range<Int>) -> Range<Int> {
        var lower = range.lowerBound
        var upper = range.upperBound
        while lower < upper, self[lower] == ASCII.SP || self[lower] == ASCII.HTAB { lower += 1 }
        while lower < upper, self[upper - 1] == ASCII.SP || self[upper - 1] == ASCII.HTAB {
            upper -= 1
        }
        return lower..<upper
    }

    /// True if these bytes are a token (RFC 9110 §5.6.2).
    var isToken: Bool {
        for index in indices where !ByteClass.token.contains(self[index]) { return false }
        return !isEmpty
    }
}
