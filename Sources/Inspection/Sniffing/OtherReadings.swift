internal import Wire

/// What a file may be taken for by a reader that is not looking at its first byte.
///
/// A ZIP archive is read from its end, PHP runs wherever its tag stands, readers of PDF and of
/// archives that unpack themselves search for the head, and a reader of HTML drops a NUL, knows
/// UTF-16 without being told, and takes a tag wherever it finds one. Each of them fits behind the
/// head of a picture, or behind junk; that is looked for here, as far as the first bytes show it.
enum OtherReadings {
    /// The types beside `mediaType`, beginning with those of `formats` whose signatures are there.
    static func types(
        of start: Span<UInt8>,
        beginningLike mediaType: String,
        among formats: [String]
    ) -> [String] {
        var found = formats
        // Archives hold other files as they are.
        let isSearched = !FileTypes.isArchive(mediaType)
        addText(start, to: &found, isSearched: isSearched, in: mediaType)
        for isBigEndian in [false, true] where UTF16Text.mayHaveTag(start, isBigEndian) {
            let text = UTF16Text.narrowed(start, isBigEndian: isBigEndian)
            addText(text.span, to: &found, isSearched: isSearched, in: mediaType)
        }
        if isSearched { addSearched(start, to: &found) }
        var types: [String] = []
        for type in found where !types.contains(type) && !FileTypes.isBuilt(mediaType, on: type) {
            types.append(type)
        }
        return types
    }

    /// What the text is behind what a reader passes over, and what is in it.
    private static func addText(
        _ text: Span<UInt8>,
        to found: inout [String],
        isSearched: Bool,
        in mediaType: String
    ) {
        var index = 0
        while index < text.count, isPassedOver(text[index]) { index += 1 }
        let rest = text.extracting(index...)
        if let type = TextBeginning.type(of: rest) { found.append(type) }
        if HTMLTag.isFirst(of: HTMLTag.standard, in: rest)
            || HTMLTag.isFirst(of: HTMLTag.further, in: rest)
        {
            found.append("text/html")
        }
        guard isSearched else { return }
        for index in text.indices.dropLast() where text[index] == UInt8(ascii: "<") {
            switch text[index + 1] {
            case UInt8(ascii: "?"):
                if text.holds(TextBeginning.phpTag, at: index, ignoringCase: true)
                    || text.holds(TextBeginning.phpEcho, at: index) && isText(text, behind: index)
                {
                    found.append("application/x-httpd-php")
                }
            case UInt8(ascii: "%"):
                if text.holds(directive, at: index), isText(text, behind: index) {
                    found.append("text/x-server-page")
                }
            default:
                // A page may have pictures in it.
                if HTMLTag.svg.stands(at: index, in: text), mediaType != "text/html" {
                    found.append("image/svg+xml")
                } else if HTMLTag.active.contains(where: { $0.stands(at: index, in: text) }) {
                    found.append("text/html")
                }
            }
        }
    }

    private static let directive = Array("<%@".utf8)

    /// Controls, space, and the bytes of byte order marks.
    private static func isPassedOver(_ byte: UInt8) -> Bool {
        byte <= ASCII.SP || byte == 0x7F || [0xEF, 0xBB, 0xBF, 0xFE, 0xFF].contains(byte)
    }

    /// Three bytes come about by chance; three and some text behind them do not.
    private static func isText(_ text: Span<UInt8>, behind index: Int) -> Bool {
        let (begin, end) = (index + 3, index + 9)
        guard end <= text.count else { return false }
        for place in begin..<end {
            let byte = text[place]
            if byte > 0x7E || byte < ASCII.SP && !TextBeginning.isSpace(byte) { return false }
        }
        return true
    }

    /// Heads that are searched for by those who read what follows them.
    private static let searched: [(pattern: [UInt8], type: String)] = [
        (Array("%PDF-".utf8), "application/pdf"),
        (Array("PK\u{3}\u{4}".utf8), "application/zip"),
        (Array("Rar!\u{1A}\u{7}".utf8), "application/vnd.rar"),
        ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "application/x-7z-compressed"),
    ]

    private static func addSearched(_ start: Span<UInt8>, to found: inout [String]) {
        for index in start.indices.dropFirst() where heads.contains(start[index]) {
            for (pattern, type) in searched where start.holds(pattern, at: index) {
                found.append(type)
            }
        }
    }

    /// What these patterns begin with: `%`, `P`, `R` and `7`.
    private static var heads: ByteClass {
        ByteClass(low: 0x0080_0020_0000_0000, high: 0x0000_0000_0005_0000)
    }
}
