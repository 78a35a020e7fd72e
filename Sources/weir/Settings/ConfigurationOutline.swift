/// Where things are in a JSON5 text: the line of each key, keys set twice, the first mistake.
///
/// Foundation's decoder says what the values are. On Linux it says of a mistake only that there
/// is one, and of two equal keys nothing; this reads the same text for places alone. It judges
/// nothing: a text the decoder takes is taken, whatever is found here.
package struct ConfigurationOutline {
    package struct Failure: Equatable, Sendable {
        package let line: Int
        package let column: Int
        package let reason: String
    }

    /// The line of each member, by the names on the way to it, joined by dots.
    package private(set) var lines: [String: Int] = [:]

    /// Members whose name was there already, and where they are the second time.
    package private(set) var duplicates: [(key: String, line: Int)] = []

    package private(set) var failure: Failure?

    private let bytes: [UInt8]
    private var index = 0

    package init(of text: String) {
        bytes = Array(text.utf8)
        do throws(Mistake) {
            try scanValue(path: "", depth: 0)
            try skipSpace()
            if index < bytes.count { throw mistake("expected the end of the file") }
        } catch {
            let place = place(of: error.offset)
            failure = Failure(line: place.line, column: place.column, reason: error.reason)
        }
    }
}

/// The first place where the text cannot be JSON5.
private struct Mistake: Error {
    let reason: String
    let offset: Int
}

extension ConfigurationOutline {
    private mutating func scanValue(path: String, depth: Int) throws(Mistake) {
        guard depth < 32 else { throw mistake("this is nested too deep") }
        try skipSpace()
        switch current {
        case UInt8(ascii: "{"): try scanObject(path: path, depth: depth)
        case UInt8(ascii: "["): try scanArray(path: path, depth: depth)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = try scanString()
        default: try scanWord()
        }
    }

    private mutating func scanObject(path: String, depth: Int) throws(Mistake) {
        let opening = index
        index += 1
        while true {
            try skipSpace()
            if current == nil { throw unclosed("{", "}", at: opening) }
            if take(UInt8(ascii: "}")) { return }
            let start = index
            let name = try scanName()
            let key = path.isEmpty ? name : "\(path).\(name)"
            let line = place(of: start).line
            if lines.updateValue(line, forKey: key) != nil { duplicates.append((key, line)) }
            try skipSpace()
            guard take(UInt8(ascii: ":")) else { throw unexpected(wanted: "a colon") }
            try scanValue(path: key, depth: depth + 1)
            try skipSpace()
            if current == nil { throw unclosed("{", "}", at: opening) }
            guard take(UInt8(ascii: ",")) || current == UInt8(ascii: "}") else {
                throw unexpected(wanted: "a comma or }")
            }
        }
    }

    private mutating func scanArray(path: String, depth: Int) throws(Mistake) {
        let opening = index
        index += 1
        while true {
            try skipSpace()
            if current == nil { throw unclosed("[", "]", at: opening) }
            if take(UInt8(ascii: "]")) { return }
            // Members inside an array have no key of their own.
            try scanValue(path: "\(path).\(index)", depth: depth + 1)
            try skipSpace()
            if current == nil { throw unclosed("[", "]", at: opening) }
            guard take(UInt8(ascii: ",")) || current == UInt8(ascii: "]") else {
                throw unexpected(wanted: "a comma or ]")
            }
        }
    }

    private mutating func scanName() throws(Mistake) -> String {
        if current == UInt8(ascii: "\"") || current == UInt8(ascii: "'") { return try scanString() }
        let word = takeWord()
        guard let first = word.utf8.first, first > UInt8(ascii: "9") || first == UInt8(ascii: "$")
        else { throw unexpected(wanted: "a key", at: index - word.utf8.count) }
        return word
    }

    private mutating func scanString() throws(Mistake) -> String {
        let opening = index
        let quote = bytes[index]
        index += 1
        let start = index
        while let byte = current, byte != quote {
            if byte == UInt8(ascii: "\n") { break }
            index = min(index + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
        }
        guard current == quote else {
            throw Mistake(reason: "this string is not closed on its line", offset: opening)
        }
        index += 1
        return String(decoding: bytes[start..<index - 1], as: UTF8.self)
    }

    private mutating func scanWord() throws(Mistake) {
        let start = index
        let word = takeWord()
        let number = word.drop { $0 == "+" || $0 == "-" }
        let isKnown = ["true", "false", "null"].contains(word)
        guard isKnown || ["Infinity", "NaN"].contains(number) || Double(number) != nil else {
            throw unexpected(wanted: "a value", at: start)
        }
    }

    /// Takes everything up to white space or punctuation.
    private mutating func takeWord() -> String {
        let start = index
        while let byte = current, byte > 0x20, !",:{}[]\"'/".utf8.contains(byte) { index += 1 }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private mutating func skipSpace() throws(Mistake) {
        while let byte = current {
            if byte <= 0x20 {
                index += 1
            } else if bytes[index...].starts(with: "//".utf8) {
                while let byte = current, byte != UInt8(ascii: "\n") { index += 1 }
            } else if bytes[index...].starts(with: "/*".utf8) {
                let opening = index
                index += 2
                while current != nil, !bytes[index...].starts(with: "*/".utf8) { index += 1 }
                guard current != nil else {
                    throw Mistake(reason: "this comment is not closed", offset: opening)
                }
                index += 2
            } else {
                return
            }
        }
    }
}

extension ConfigurationOutline {
    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    private func mistake(_ reason: String) -> Mistake { Mistake(reason: reason, offset: index) }

    private func unclosed(_ open: String, _ close: String, at offset: Int) -> Mistake {
        Mistake(reason: "this \(open) has no \(close)", offset: offset)
    }

    private func unexpected(wanted: String, at offset: Int? = nil) -> Mistake {
        let offset = offset ?? index
        let line = bytes[offset...].prefix { $0 >= 0x20 }
        guard !line.isEmpty else {
            let end = offset < bytes.count ? "line" : "file"
            return Mistake(
                reason: "expected \(wanted), found the end of the \(end)",
                offset: offset
            )
        }
        let found = TerminalText.escaped(String(decoding: line, as: UTF8.self), limit: 20)
        return Mistake(reason: "expected \(wanted), found \(found)", offset: offset)
    }

    /// Line and column of a byte, both counted from 1; columns in characters.
    private func place(of offset: Int) -> (line: Int, column: Int) {
        let before = bytes[..<offset]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = 1 + before.count { $0 == UInt8(ascii: "\n") }
        return (line, 1 + String(decoding: bytes[start..<offset], as: UTF8.self).count)
    }
}
