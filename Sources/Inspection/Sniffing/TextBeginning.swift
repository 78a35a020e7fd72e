internal import Wire

/// Text that says by its first words what kind of text it is.
enum TextBeginning {
    /// Every type that text can begin like, beside JSON and plain text.
    static let types = [
        "text/html", "text/xml", "application/xhtml+xml", "image/svg+xml", php, serverPage,
        "text/x-shellscript", "application/x-bat",
    ]

    private static let php = "application/x-httpd-php"

    /// ASP, JSP and the templates that look like them.
    private static let serverPage = "text/x-server-page"

    /// The type of text that begins so, behind a byte order mark and space, or nil.
    static func type(of start: Span<UInt8>) -> String? {
        let text = start.extracting(leading(start)...)
        // A sound format begins like a script, and so may a program in Rust.
        if text.holds(hashBang, at: 0), !text.holds(amr, at: 0), !text.holds(attribute, at: 0) {
            return "text/x-shellscript"
        }
        if text.holds(echoOff, at: 0, ignoringCase: true) { return "application/x-bat" }
        guard text.count > 1, text[0] == UInt8(ascii: "<") else { return nil }
        if text.holds(phpTag, at: 0, ignoringCase: true) || text.holds(phpEcho, at: 0) {
            return php
        }
        if text[1] == UInt8(ascii: "%") { return serverPage }
        let root = XMLProlog.root(of: text)
        if root == "svg" { return "image/svg+xml" }
        if text.holds(xmlDeclaration, at: 0) {
            return root == "html" ? "application/xhtml+xml" : "text/xml"
        }
        return HTMLTag.isFirst(of: HTMLTag.standard, in: text) ? "text/html" : nil
    }

    static let utf8Mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    private static let hashBang = Array("#!".utf8)
    private static let amr = Array("#!AMR".utf8)
    private static let attribute = Array("#![".utf8)
    private static let echoOff = Array("@echo off".utf8)
    static let phpTag = Array("<?php".utf8)
    static let phpEcho = Array("<?=".utf8)
    private static let xmlDeclaration = Array("<?xml".utf8)

    /// How many bytes of a byte order mark and of space stand before the text.
    private static func leading(_ start: Span<UInt8>) -> Int {
        var index = start.holds(utf8Mark, at: 0) ? utf8Mark.count : 0
        while index < start.count, isSpace(start[index]) { index += 1 }
        return index
    }

    /// WHATWG MIME Sniffing §3: a whitespace byte.
    static func isSpace(_ byte: UInt8) -> Bool {
        byte == ASCII.SP || byte == ASCII.HTAB || byte == ASCII.LF || byte == ASCII.CR
            || byte == 0x0C
    }

    /// An object or array that begins with a member, an element, or its end.
    static func isJSON(_ start: Span<UInt8>) -> Bool {
        let text = start.extracting(leading(start)...)
        guard let first = text.isEmpty ? nil : text[0], first == 0x7B || first == 0x5B else {
            return false
        }
        var index = 1
        while index < text.count, isSpace(text[index]) { index += 1 }
        guard index < text.count else { return false }
        switch text[index] {
        case ASCII.quote, 0x7D, 0x5D: return true
        case 0x7B, 0x5B, ASCII.dash, UInt8(ascii: "0")...UInt8(ascii: "9"): return first == 0x5B
        default: return false
        }
    }
}
