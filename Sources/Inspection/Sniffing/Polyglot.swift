/// Files that are one type to who looks at the beginning, and another to who looks for it.
///
/// A ZIP archive is read from its end, PHP runs wherever its tag stands, and readers of PDF accept
/// its head anywhere in the first kilobyte. Each of them fits behind the head of a picture, which
/// lets it through; that is looked for here, as far as the first bytes show it.
enum Polyglot {
    static func isOne(_ start: Span<UInt8>, beginningLike mediaType: String) -> Bool {
        if mediaType == "application/pdf" || isMedia(mediaType) {
            return holds(archive, start) || holds(script, start)
                || mediaType != "application/pdf" && holds(document, start)
        }
        // Archives hold other files as they are, and markup may speak of anything; what begins like
        // nothing has no reason to go on as a PDF.
        let isPlain = mediaType == "text/plain" || mediaType == "application/octet-stream"
        return isPlain && holds(document, start)
    }

    /// True of formats that begin with bytes of their own; SVG is text, in which all may be said.
    private static func isMedia(_ mediaType: String) -> Bool {
        guard mediaType != "image/svg+xml" else { return false }
        return ["image/", "audio/", "video/", "font/"].contains { mediaType.hasPrefix($0) }
    }

    private static let archive = Array("PK\u{3}\u{4}".utf8)
    private static let script = Array("<?php".utf8)
    private static let document = Array("%PDF-".utf8)

    /// True if `pattern` stands behind the first byte.
    private static func holds(_ pattern: [UInt8], _ start: Span<UInt8>) -> Bool {
        let count = pattern.count
        guard start.count > count else { return false }
        for index in 1...start.count - count where start[index] == pattern[0] {
            var matched = 1
            while matched < count, start[index + matched] == pattern[matched] { matched += 1 }
            if matched == count { return true }
        }
        return false
    }
}
