import Wire

/// What one proxy says of the message it has received (RFC 7239 §4).
///
///     forwarded-element = [ forwarded-pair ] *( ";" [ forwarded-pair ] )
///     forwarded-pair    = token "=" ( token / quoted-string )
///
/// Whitespace around a semicolon is allowed: several proxies write it. Nobody reads a parameter
/// twice alike, so an element that repeats one is malformed.
package struct ForwardedElement: Equatable, Sendable {
    package var node = ForwardedNode.unknown

    /// The Host that the proxy has received, if it says so and it is one.
    package var host: String?

    /// The scheme, in lower case: `http` or `https`.
    package var scheme: String?

    /// As the element was written; empty where X-Forwarded-For has named the node.
    package var text = ""

    package init(node: ForwardedNode = .unknown) { self.node = node }

    /// Reads all elements of a Forwarded value; nil if it is malformed anywhere.
    static func list(in value: Span<UInt8>) -> [ForwardedElement]? {
        var elements: [ForwardedElement] = []
        var index = 0
        while true {
            while index < value.count,
                isWhitespace(value[index]) || value[index] == UInt8(ascii: ",")
            { index += 1 }
            guard index < value.count else { return elements }
            guard let element = ForwardedElement(in: value, at: &index) else { return nil }
            elements.append(element)
        }
    }

    /// Reads from `index`, where an element begins, up to a comma or the end.
    private init?(in value: Span<UInt8>, at index: inout Int) {
        let start = index
        var end = index
        var names: Set<String> = []
        while index < value.count, value[index] != UInt8(ascii: ",") {
            if value[index] == ASCII.semicolon {
                index += 1
                end = index
                continue
            }
            if Self.isWhitespace(value[index]) {
                index += 1
                continue
            }
            // A pair begins where an element or a semicolon has ended, not behind another pair.
            guard end == start || value[end - 1] == ASCII.semicolon else { return nil }
            let nameStart = index
            while index < value.count, ByteClass.token.contains(value[index]) { index += 1 }
            let nameEnd = index
            guard nameEnd > nameStart, index < value.count, value[index] == ASCII.equals else {
                return nil
            }
            index += 1
            guard let content = Self.skipValue(in: value, at: &index) else { return nil }
            let name = value.extracting(nameStart..<nameEnd).repairedText.lowercased()
            guard names.insert(name).inserted, take(name, value.extracting(content)) else {
                return nil
            }
            end = index
        }
        text = value.extracting(start..<end).repairedText
    }

    /// Notes a pair; false if its value is not what its name asks for.
    private mutating func take(_ name: String, _ value: Span<UInt8>) -> Bool {
        switch name {
        case "for":
            guard let node = ForwardedNode(value) else { return false }
            self.node = node
        case "host":
            guard HostSyntax.firstOffence(in: value) == nil else { return false }
            host = value.repairedText
        case "proto":
            scheme = ["http", "https"].first { value.equalsIgnoringCase($0) }
        default: break
        }
        return true
    }

    /// Skips a token or quoted-string, and answers where its content is; nothing is unescaped.
    private static func skipValue(in value: Span<UInt8>, at index: inout Int) -> Range<Int>? {
        let start = index
        guard index < value.count, value[index] == ASCII.quote else {
            while index < value.count, ByteClass.token.contains(value[index]) { index += 1 }
            return index > start ? start..<index : nil
        }
        index += 1
        while index < value.count, value[index] != ASCII.quote {
            index += value[index] == ASCII.backslash ? 2 : 1
        }
        guard index < value.count else { return nil }
        index += 1
        return start + 1..<index - 1
    }

    private static func isWhitespace(_ byte: UInt8) -> Bool {
        byte == ASCII.SP || byte == ASCII.HTAB
    }
}
