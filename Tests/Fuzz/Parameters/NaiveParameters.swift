/// A field value with parameters as the grammar has it, and nothing beyond: the specification of
/// `Parameters` where that reports no problem, or only backslashes before quotes.
///
///     field = OWS value *( OWS ";" OWS token "=" ( token / quoted-string ) ) OWS
struct NaiveParameters: Equatable {
    var value: String

    /// Each parameter's name and value.
    var list: [[String]] = []

    /// Whether a backslash stands before a quote, escaping it or, in pairs, not.
    var hasEscapes = false

    /// Nil if anything else is odd.
    init?(_ field: [UInt8]) {
        guard let pieces = split(field) else { return nil }
        let first = trim(pieces[0])
        guard isToken(first.filter { $0 != UInt8(ascii: "/") }) else { return nil }
        value = String(decoding: first, as: UTF8.self)
        for piece in pieces.dropFirst() {
            let piece = trim(piece)
            guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            let name = Array(piece[..<equals])
            var value = Array(piece[(equals + 1)...])
            guard !name.isEmpty, isToken(name), !value.isEmpty else { return nil }
            if value.first == quote {
                guard let ends = quotes(in: value), ends.closing == value.count - 1 else {
                    return nil
                }
                hasEscapes = hasEscapes || ends.hasEscapes
                value = Array(value.dropFirst().dropLast())
            } else if !isToken(value) {
                return nil
            }
            list.append([name, value].map { String(decoding: $0, as: UTF8.self) })
        }
    }
}

private let quote = UInt8(ascii: "\"")

/// The field cut at the semicolons outside quotes, or nil where a quote stays open.
private func split(_ field: [UInt8]) -> [[UInt8]]? {
    var pieces: [[UInt8]] = [[]]
    var rest = field[...]
    while let byte = rest.first {
        if byte == UInt8(ascii: ";") {
            pieces.append([])
            rest.removeFirst()
            continue
        }
        var count = 1
        if byte == quote {
            guard let end = quotes(in: Array(rest))?.closing else { return nil }
            count = end + 1
        }
        pieces[pieces.count - 1] += rest.prefix(count)
        rest = rest.dropFirst(count)
    }
    return pieces
}

/// Where the quote that `bytes` begin with is closed: by the first one behind an even number of
/// backslashes.
private func quotes(in bytes: [UInt8]) -> (closing: Int, hasEscapes: Bool)? {
    var hasEscapes = false
    for index in bytes.indices.dropFirst() where bytes[index] == quote {
        let backslashes = bytes[1..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        hasEscapes = hasEscapes || backslashes > 0
        if backslashes.isMultiple(of: 2) { return (index, hasEscapes) }
    }
    return nil
}

private func isToken(_ bytes: [UInt8]) -> Bool {
    let marks = Array("!#$%&'*+-.^_`|~".utf8)
    return bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: marks.contains(byte)
        }
    }
}

private func trim(_ bytes: [UInt8]) -> [UInt8] {
    let head = bytes.drop { $0 == 32 || $0 == 9 }
    guard let last = head.lastIndex(where: { $0 != 32 && $0 != 9 }) else { return [] }
    return Array(head[...last])
}
