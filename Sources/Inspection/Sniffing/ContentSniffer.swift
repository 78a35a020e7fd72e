internal import Wire

/// Tells what a file is by how it begins.
///
/// Signatures first; then what is text and says so: markup, scripts, JSON; then, by the standard's
/// §7.2, plain text or bytes, by whether any byte is one that text does not have.
enum ContentSniffer {
    /// The media type of a file that begins so, or nil for an empty one.
    static func mediaType(of start: Span<UInt8>) -> String? {
        guard !start.isEmpty else { return nil }
        for signature in FileSignature.all where signature.matches(start) {
            return signature.mediaType
        }
        if hasBinaryByte(start) {
            return hasTextMark(start) ? "text/plain" : "application/octet-stream"
        }
        return textType(of: start)
    }

    /// Text that begins with what only one kind of text begins with.
    private static func textType(of start: Span<UInt8>) -> String {
        // Markup behind a byte order mark is markup to every browser.
        var index =
            start.count >= 3 && start[0] == 0xEF && start[1] == 0xBB && start[2] == 0xBF
            ? 3 : 0
        while index < start.count, isSpace(start[index]) { index += 1 }
        let text = start.extracting(index..<start.count)
        if begins(text, "#!") { return "text/x-shellscript" }
        if begins(text, "<?php") { return "application/x-httpd-php" }
        if begins(text, "<?xml") {
            return contains(text, "<svg") ? "image/svg+xml" : "text/xml"
        }
        if begins(text, "<svg") { return "image/svg+xml" }
        // WHATWG MIME Sniffing §7.1: the tags that make a browser show a page.
        for tag in htmlTags where begins(text, tag) { return "text/html" }
        if let first = text.isEmpty ? nil : text[0], first == 0x7B || first == 0x5B,
            looksLikeJSON(text)
        {
            return "application/json"
        }
        return "text/plain"
    }

    private static let htmlTags = [
        "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font", "<table",
        "<a ", "<style", "<title", "<b>", "<body", "<br", "<p>", "<!--",
    ]

    /// An object or array that begins with a member, an element, or its end.
    private static func looksLikeJSON(_ text: Span<UInt8>) -> Bool {
        var index = 1
        while index < text.count, isSpace(text[index]) { index += 1 }
        guard index < text.count else { return false }
        switch text[index] {
        case ASCII.quote, 0x7D, 0x5D: return true
        case 0x7B, 0x5B, ASCII.dash, UInt8(ascii: "0")...UInt8(ascii: "9"):
            return text[0] == 0x5B
        default: return false
        }
    }

    /// True if `text` begins with `word`, letters compared without case.
    private static func begins(_ text: Span<UInt8>, _ word: String) -> Bool {
        let count = word.utf8.count
        return text.count >= count && text.extracting(0..<count).equalsIgnoringCase(word)
    }

    private static func contains(_ text: Span<UInt8>, _ word: String) -> Bool {
        let count = word.utf8.count
        guard text.count >= count else { return false }
        for index in 0...text.count - count
        where text.extracting(index..<index + count).equalsIgnoringCase(word) {
            return true
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.SP || byte == ASCII.HTAB || byte == ASCII.LF || byte == ASCII.CR
            || byte == 0x0C
    }

    /// WHATWG MIME Sniffing §3: a binary data byte.
    private static func hasBinaryByte(_ start: Span<UInt8>) -> Bool {
        for index in start.indices {
            switch start[index] {
            case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: return true
            default: continue
            }
        }
        return false
    }

    /// A byte order mark of UTF-16, whose text has bytes that look binary.
    private static func hasTextMark(_ start: Span<UInt8>) -> Bool {
        start.count >= 2
            && (start[0] == 0xFE && start[1] == 0xFF || start[0] == 0xFF && start[1] == 0xFE)
    }
}
