/// A field value with parameters as the grammar has it, and nothing beyond: the specification of
/// `Parameters` where that reports no problem.
///
///     field = OWS value *( OWS ";" OWS token "=" ( token / quoted-string ) ) OWS
///
/// - Returns: The value, and each parameter's name and value; nil if anything is odd.
func naiveParameters(_ field: [UInt8]) -> (value: String, list: [[String]])? {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in field {
        if byte == UInt8(ascii: ";"), !isQuoted {
            pieces.append([])
        } else {
            pieces[pieces.count - 1].append(byte)
        }
        if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
    }
    let value = trim(pieces[0])
    guard !isQuoted, isToken(value.filter { $0 != UInt8(ascii: "/") }) || value.allSatisfy(isSlash)
    else { return nil }
    var list: [[String]] = []
    for piece in pieces.dropFirst() {
        let piece = trim(piece)
        guard let equals = piece.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let name = Array(piece[..<equals])
        var value = Array(piece[(equals + 1)...])
        guard !name.isEmpty, isToken(name), !value.isEmpty else { return nil }
        if value.first == UInt8(ascii: "\"") {
            // A backslash before a quote is an oddity of its own, and so is anything behind one.
            guard value.count > 1, value.lastIndex(of: UInt8(ascii: "\"")) == value.count - 1
            else { return nil }
            value = Array(value.dropFirst().dropLast())
            guard !value.contains(UInt8(ascii: "\"")), value.last != UInt8(ascii: "\\") else {
                return nil
            }
        } else if !isToken(value) {
            return nil
        }
        list.append([name, value].map { String(decoding: $0, as: UTF8.self) })
    }
    return (String(decoding: value, as: UTF8.self), list)
}

private func isSlash(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "/") }

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
