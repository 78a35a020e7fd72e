internal import Wire

/// What a file given to `weir inspect` is, by what its first bytes say.
package enum InspectSubject: Equatable, Sendable {
    /// A body of this type.
    case body(contentType: String)

    /// A body whose boundary was guessed from its first line.
    case guessedBody(contentType: String)

    /// A request: head and body.
    case request

    /// Decides for a file that begins with `bytes`, or returns nil where nothing tells.
    ///
    /// A type that is given makes the file a body of that type, whatever it looks like.
    package init?(beginning bytes: ArraySlice<UInt8>, contentType: String?) {
        if let contentType {
            self = .body(contentType: contentType)
            return
        }
        guard let line = Self.firstLine(of: bytes) else { return nil }
        if Self.isRequestLine(line) {
            self = .request
        } else if let boundary = Self.boundary(of: line) {
            self = .guessedBody(contentType: "multipart/form-data; boundary=\"\(boundary)\"")
        } else {
            return nil
        }
    }

    /// The first line without its end; one empty line before it is skipped.
    private static func firstLine(of bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let bytes = bytes.starts(with: [ASCII.CR, ASCII.LF]) ? bytes.dropFirst(2) : bytes
        let line = bytes.prefix(longestLine).prefix { $0 != ASCII.LF }
        guard !line.isEmpty, line.count < longestLine else { return nil }
        return line.last == ASCII.CR ? line.dropLast() : line
    }

    /// RFC 9112 §3: `method SP request-target SP HTTP-version`; how valid each is, is not asked.
    private static func isRequestLine(_ line: ArraySlice<UInt8>) -> Bool {
        let words = line.split(separator: ASCII.SP)
        return words.count >= 2 && words[0].allSatisfy(ByteClass.token.contains)
            && words.last?.starts(with: "HTTP/".utf8) == true
    }

    /// The boundary of which `line` is the first delimiter, or nil where it cannot be one.
    private static func boundary(of line: ArraySlice<UInt8>) -> String? {
        guard line.starts(with: "--".utf8) else { return nil }
        var name = line.dropFirst(2)
        while let last = name.last, last == ASCII.SP || last == ASCII.HTAB { name.removeLast() }
        guard !name.isEmpty, name.allSatisfy(ByteClass.boundary.contains) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static let longestLine = 64 << 10
}
