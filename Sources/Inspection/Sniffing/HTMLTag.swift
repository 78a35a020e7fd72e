internal import Wire

/// The tags by which a page is known.
struct HTMLTag: Sendable {
    /// The letters of the tag, in lower case.
    let name: [UInt8]

    /// False for what needs no end: a comment.
    let hasEnd: Bool

    private init(_ name: String, hasEnd: Bool = true) {
        self.name = Array(name.utf8)
        self.hasEnd = hasEnd
    }

    /// WHATWG MIME Sniffing §7.1: the tags that make a browser show a page.
    static let standard =
        [
            "<!doctype html", "<html", "<head", "<script", "<iframe", "<h1", "<div", "<font",
            "<table", "<a", "<style", "<title", "<b", "<body", "<br", "<p",
        ].map { HTMLTag($0) } + [HTMLTag("<!--", hasEnd: false)]

    /// What begins a page, or runs something, wherever in a text it stands.
    static let active =
        [
            "<!doctype html", "<html", "<head", "<body", "<script", "<iframe", "<frameset",
            "<object", "<embed", "<meta", "<base",
        ].map { HTMLTag($0) }

    /// What text that is declared to be a page may begin with as well.
    static let further =
        [
            "<img", "<link", "<form", "<input", "<button", "<video", "<audio", "<math", "<details",
            "<template", "<noscript", "<marquee", "<center", "<span",
        ].map { HTMLTag($0) } + active

    static let svg = HTMLTag("<svg")

    func stands(at offset: Int, in text: Span<UInt8>) -> Bool {
        // Most tags differ in the letter behind the "<".
        guard offset + 1 < text.count, ASCII.lowercased(text[offset + 1]) == name[1],
            text.holds(name, at: offset, ignoringCase: true)
        else { return false }
        let end = offset + name.count
        return !hasEnd || end < text.count && Self.isEnd(text[end])
    }

    static func isFirst(of tags: [HTMLTag], in text: Span<UInt8>) -> Bool {
        tags.contains { $0.stands(at: 0, in: text) }
    }

    /// What ends the name of a tag: the standard knows only the space and ">", HTML also these.
    static func isEnd(_ byte: UInt8) -> Bool {
        TextBeginning.isSpace(byte) || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}
