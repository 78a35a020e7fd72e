internal import Wire

/// Tells what a file is by how it begins.
///
/// The order is that of the WHATWG MIME Sniffing standard, §7.1: markup and other text that says
/// what it is; signatures; then plain text or bytes, by whether any byte is one that text does not
/// have. So a NUL behind a tag hides nothing. Where it says more than the standard, or something
/// else, it is because programs other than browsers read uploads as well:
///
/// - markup is found behind a byte order mark and in UTF-16, as any reader of HTML and XML finds it;
/// - a tag may end in any space or in a slash, as it may in HTML;
/// - XML is named by its root, archives by their first entries, Matroska by its DocType;
/// - a signature of up to four letters is not believed in what is nothing but text.
enum ContentSniffer {
    /// What a file is that begins so; nil for an empty one.
    static func types(of start: Span<UInt8>) -> SniffedTypes? {
        guard !start.isEmpty else { return nil }
        let formats = BinaryBeginning.types(of: start)
        let mediaType = mediaType(of: start, among: formats)
        let others = OtherReadings.types(of: start, beginningLike: mediaType, among: formats)
        let unlikely = FileTypes.isText(mediaType) ? BinaryBeginning.words(of: start) : []
        return SniffedTypes(mediaType: mediaType, others: others, unlikely: unlikely)
    }

    private static func mediaType(of start: Span<UInt8>, among formats: [String]) -> String {
        if let type = TextBeginning.type(of: start) ?? formats.first { return type }
        if let isBigEndian = UTF16Text.byteOrder(of: start) {
            let text = UTF16Text.narrowed(start, isBigEndian: isBigEndian)
            return TextBeginning.type(of: text.span) ?? "text/plain"
        }
        if start.hasBinaryByte, !start.holds(TextBeginning.utf8Mark, at: 0) {
            return "application/octet-stream"
        }
        return TextBeginning.isJSON(start) ? "application/json" : "text/plain"
    }
}

extension Span<UInt8> {
    /// WHATWG MIME Sniffing §3: a binary data byte.
    var hasBinaryByte: Bool {
        for index in indices {
            switch self[index] {
            case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: return true
            default: continue
            }
        }
        return false
    }

    /// True if `pattern` stands at `offset`, letters in lower case compared with either.
    func holds(_ pattern: [UInt8], at offset: Int, ignoringCase: Bool = false) -> Bool {
        guard offset >= 0, count - offset >= pattern.count else { return false }
        for index in pattern.indices {
            let byte = self[offset + index]
            if (ignoringCase ? ASCII.lowercased(byte) : byte) != pattern[index] { return false }
        }
        return true
    }
}
