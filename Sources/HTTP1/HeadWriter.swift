import Wire

/// Writes the head of a message.
///
/// Whatever the arguments contain, what is written is one start line and the lines asked for:
/// bytes that cannot stand where they are put (CR, LF and NUL among them) are left out. So no
/// value taken from elsewhere can add a line.
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
        append(head.method)
        bytes.append(ASCII.SP)
        switch target.form {
        case .origin, .asterisk, .authority:
            bytes.append(contentsOf: source[target.range])
        case .absolute:
            if target.path.isEmpty {
                let asksForServer = head.isOPTIONS && target.query == nil
                bytes.append(asksForServer ? UInt8(ascii: "*") : UInt8(ascii: "/"))
            }
            bytes.append(contentsOf: source[target.path.lowerBound..<target.range.upperBound])
        }
        append(" HTTP/1.1\r\n")
    }

    /// Writes a status line; a code that has not three digits is a bug and becomes 500.
    package mutating func statusLine(_ code: Int, reason: String? = nil) {
        let code = (100...999).contains(code) ? code : 500
        append("HTTP/1.1 ")
        append(String(code))
        bytes.append(ASCII.SP)
        append(reason ?? ReasonPhrase.text(for: code), keeping: .fieldValue)
        endLine()
    }

    /// Writes the status line of `head` with its own reason phrase.
    package mutating func statusLine(of head: ResponseHead) {
        append("HTTP/1.1 ")
        append(String(head.status))
        bytes.append(ASCII.SP)
        bytes.append(contentsOf: head.fields.bytes[head.reason])
        endLine()
    }

    package mutating func field(name: String, value: String) {
        append(name, keeping: .token)
        append(": ")
        append(value, keeping: .fieldValue)
        endLine()
    }

    package mutating func field(name: String, value: Int) {
        field(name: name, value: String(value))
    }

    /// Writes a field with the bytes of `range` of `section`, which has been validated.
    package mutating func field(
        name: String,
        copying range: Range<Int>,
        of section: FieldSection
    ) {
        append(name, keeping: .token)
        append(": ")
        bytes.append(contentsOf: section.bytes[range])
        endLine()
    }

    /// Writes `line` of `section` as received, but for the whitespace around its value.
    package mutating func field(copying line: FieldLine, of section: FieldSection) {
        bytes.append(contentsOf: section.bytes[line.name])
        append(": ")
        bytes.append(contentsOf: section.bytes[line.value])
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

    private mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func append(_ text: String, keeping allowed: ByteClass) {
        for byte in text.utf8 where allowed.contains(byte) { bytes.append(byte) }
    }
}
