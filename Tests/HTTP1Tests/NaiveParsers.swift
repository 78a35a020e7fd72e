import HTTP1
import Wire

/// The chunked coding over a whole buffer: the specification of `BodyDecoder`.
///
/// - Returns: The content and the bytes that follow, or nil if the body is invalid or not whole.
func naivelyDecodeChunked(_ input: [UInt8]) -> (body: [UInt8], rest: Int)? {
    var rest = input[...]
    var body: [UInt8] = []

    /// Takes the bytes before the next CRLF, which may contain neither CR nor LF.
    func line() -> [UInt8]? {
        guard let end = rest.firstIndex(where: { $0 == 13 || $0 == 10 }),
            rest[end...].starts(with: [13, 10])
        else { return nil }
        defer { rest = rest[(end + 2)...] }
        return Array(rest[..<end])
    }

    while true {
        guard let chunkLine = line() else { return nil }
        let digits = chunkLine.prefix { ASCII.hexValue(of: $0) != nil }
        guard (1...16).contains(digits.count),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16),
            naivelyAcceptsExtensions(Array(chunkLine.dropFirst(digits.count)))
        else { return nil }
        if size == 0 { break }
        guard rest.count >= 2, size <= rest.count - 2 else { return nil }
        body += rest.prefix(size)
        rest = rest.dropFirst(size)
        guard rest.starts(with: [13, 10]) else { return nil }
        rest = rest.dropFirst(2)
    }
    while let field = line() {
        if field.isEmpty { return (body, rest.count) }
        guard naivelyAcceptsField(field) else { return nil }
    }
    return nil
}

/// `chunk-ext`, by cutting the line at the semicolons outside quotes.
func naivelyAcceptsExtensions(_ bytes: [UInt8]) -> Bool {
    var pieces: [[UInt8]] = [[]]
    var isQuoted = false
    var isEscaped = false
    for byte in bytes {
        if !isQuoted, byte == UInt8(ascii: ";") {
            pieces.append([])
            continue
        }
        pieces[pieces.count - 1].append(byte)
        if isEscaped {
            isEscaped = false
        } else if isQuoted, byte == UInt8(ascii: "\\") {
            isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
            isQuoted.toggle()
        }
    }
    if isQuoted { return false }
    if pieces.count == 1 { return bytes.isEmpty }
    guard pieces[0].allSatisfy({ $0 == 32 || $0 == 9 }) else { return false }
    for (index, piece) in pieces.enumerated().dropFirst() {
        // Whitespace may stand before a semicolon, but not before the end of the line.
        let isLast = index == pieces.count - 1
        if isLast, let last = piece.last, last == 32 || last == 9 { return false }
        let parts = piece.split(
            separator: UInt8(ascii: "="),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard isToken(trim(parts[0])) else { return false }
        if parts.count == 2, !isTokenOrQuoted(trim(parts[1])) { return false }
    }
    return true
}

private func isTokenOrQuoted(_ value: ArraySlice<UInt8>) -> Bool {
    if isToken(value) { return true }
    guard value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"")
    else { return false }
    var isEscaped = false
    for byte in value.dropFirst().dropLast() {
        guard ByteClass.fieldValue.contains(byte) else { return false }
        if !isEscaped, byte == UInt8(ascii: "\"") { return false }
        isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
    }
    return !isEscaped
}

/// `field-line`, without its CRLF.
func naivelyAcceptsField(_ line: [UInt8]) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return isToken(line[..<colon]) && line[(colon + 1)...].allSatisfy(ByteClass.fieldValue.contains)
}

/// The length of the syntactically valid request head at the start of `input`, or nil.
func naivelyMeasureRequestHead(_ input: [UInt8]) -> Int? {
    let skipped = input.starts(with: [13, 10]) ? 2 : 0
    var lines: [[UInt8]] = []
    var start = skipped
    while let end = input[start...].firstIndex(of: 10) {
        guard end > start, input[end - 1] == 13 else { return nil }
        let line = Array(input[start..<end - 1])
        start = end + 1
        if line.isEmpty { break }
        lines.append(line)
        if start == input.count { return nil }
    }
    guard input[..<start].suffix(4) == [13, 10, 13, 10], let first = lines.first else { return nil }
    guard !lines.joined().contains(13), !lines.joined().contains(0) else { return nil }
    let parts = first.split(separator: 32, omittingEmptySubsequences: false)
    guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty,
        parts[1].allSatisfy({ $0 > 32 && $0 < 127 && !Array("\"#<>".utf8).contains($0) }),
        parts[2].count == 8, parts[2].starts(with: "HTTP/1.".utf8),
        parts[2].last.map(ByteClass.digit.contains) == true,
        lines.dropFirst().allSatisfy(naivelyAcceptsField)
    else { return nil }
    return start
}

private func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.isEmpty && bytes.allSatisfy(ByteClass.token.contains)
}

private func trim(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let head = bytes.drop { $0 == 32 || $0 == 9 }
    guard let last = head.lastIndex(where: { $0 != 32 && $0 != 9 }) else { return head }
    return head[...last]
}
