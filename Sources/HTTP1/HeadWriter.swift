import Wire

/// Writes the head of a message.
///
/// Whatever the arguments contain, what is written is one start line and the lines asked for:
/// bytes that cannot stand where they are put (CR, LF and NUL among them) are left out. So no
/// value taken from elsewhere can add a line; names of fields stand in the program.
package struct HeadWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    package mutating func requestLine(method: String, target: String) {
        append(method, keeping: .token)
        bytes.append(ASCII.SP)
        append(target, keeping: .target)
        append(" HTTP/1.1\r\n")
    }

    /// Writes the request line with which `head` goes upstream: origin-form or `*`, never decoded.
    ///
    /// A target in absolute-form loses its authority, which has to be sent as Host; one without
    /// a path and query asks OPTIONS about the whole server (RFC 9112 §3.2.4).
    package mutating func requestLine(of head: RequestHead) {
        let target = head.target
        let source = head.fields.bytes
        append(head.method, keeping: .token)
        bytes.append(ASCII.SP)
        switch target.form {
        case .origin, .asterisk, .authority:
            append(source, target.range)
        case .absolute:
            if target.path.isEmpty {
                let asksForServer = head.isOPTIONS && target.query == nil
                bytes.append(asksForServer ? UInt8(ascii: "*") : UInt8(ascii: "/"))
            }
            append(source, target.path.lowerBound..<target.range.upperBound)
        }
        append(" HTTP/1.1\r\n")
    }

    /// Writes a status line; a code that has not three digits is a bug and becomes 500.
    package mutating func statusLine(_ code: Int, reason: String? = nil) {
        let code = (100...999).contains(code) ? code : 500
        append("HTTP/1.1 ")
        append(code)
        bytes.append(ASCII.SP)
        append(reason ?? ReasonPhrase.text(for: code), keeping: .fieldValue)
        endLine()
    }

    /// Writes the status line of `head` with its own reason phrase.
    package mutating func statusLine(of head: ResponseHead) {
        append("HTTP/1.1 ")
        append(head.status)
        bytes.append(ASCII.SP)
        append(head.fields.bytes, head.reason)
        endLine()
    }

    package mutating func field(name: StaticString, value: String) {
        begin(name)
        append(value, keeping: .fieldValue)
        endLine()
    }

    package mutating func field(name: StaticString, value: Int) {
        begin(name)
        append(value)
        endLine()
    }

    /// Writes a field whose value is made of several pieces.
    package mutating func field(name: StaticString, _ value: (inout HeadWriter) -> Void) {
        begin(name)
        value(&self)
        endLine()
    }

    /// Writes a piece of a value.
    package mutating func piece(_ text: String) { append(text, keeping: .fieldValue) }

    /// Writes a piece of a value that is known to be one.
    package mutating func piece(known text: StaticString) { append(text) }

    /// Writes bytes of `range` of `section`, which have been validated.
    package mutating func piece(copying range: Range<Int>, of section: FieldSection) {
        append(section.bytes, range)
    }

    /// Writes a field with the bytes of `range` of `section`, which has been validated.
    package mutating func field(
        name: StaticString,
        copying range: Range<Int>,
        of section: FieldSection
    ) {
        begin(name)
        append(section.bytes, range)
        endLine()
    }

    /// Writes `line` of `section` as received, but for the whitespace around its value.
    package mutating func field(copying line: FieldLine, of section: FieldSection) {
        append(section.bytes, line.name)
        append(": ")
        append(section.bytes, line.value)
        endLine()
    }

    /// Writes the empty line that ends the head.
    package mutating func finish() {
        endLine()
    }

    private mutating func endLine() {
        bytes.append(ASCII.CR)
        bytes.append(ASCII.LF)
    }

    private mutating func begin(_ name: StaticString) {
        append(name)
        append(": ")
    }

    private mutating func append(_ text: StaticString) {
        text.withUTF8Buffer { buffer in
            // SAFETY: what is written in the program lasts as long as that.
            unsafe bytes.append(contentsOf: buffer)
        }
    }

    private mutating func append(_ source: [UInt8], _ range: Range<Int>) {
        bytes.append(range.count, of: source.span.extracting(range))
    }

    /// Appends `number`, which is not negative, in decimal digits.
    private mutating func append(_ number: Int) {
        guard number >= 10 else { return bytes.append(UInt8(ascii: "0") + UInt8(max(0, number))) }
        append(number / 10)
        bytes.append(UInt8(ascii: "0") + UInt8(number % 10))
    }

    private mutating func append(_ text: String, keeping allowed: ByteClass) {
        let span = text.utf8Span.span
        if allowed.end(ofRunIn: span, from: 0) == span.count {
            bytes.append(span.count, of: span)
        } else {
            for index in span.indices where allowed.contains(span[index]) {
                bytes.append(span[index])
            }
        }
    }
}
