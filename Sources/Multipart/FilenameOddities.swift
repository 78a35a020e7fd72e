internal import Wire

/// What a filename contains that a careless upstream, terminal or reader could trip over.
struct FilenameOddities {
    /// At most one fact of each reason, with its offset in the filename.
    private(set) var facts: [MultipartFact] = []

    /// Looks at the bytes of UTF-8; what is not UTF-8 is not looked at.
    init(_ name: Span<UInt8>) {
        var path: Int?
        var control: Int?
        var bidi: Int?
        for index in name.indices {
            switch name[index] {
            case UInt8(ascii: "/"), ASCII.backslash: path = path ?? index
            // A tab is ordinary text of a quoted-string (RFC 9110 §5.6.4).
            case 0x00...0x08, 0x0A...0x1F, 0x7F: control = control ?? index
            case 0xC2 where index + 1 < name.count && isC1(name[index + 1]):
                control = control ?? index
            case 0xE2 where index + 2 < name.count && isBidi(name[index + 1], name[index + 2]):
                bidi = bidi ?? index
            default: break
            }
        }
        if let path { facts.append(MultipartFact(.filenamePath, at: path)) }
        if let control { facts.append(MultipartFact(.filenameControl, at: control)) }
        if let bidi { facts.append(MultipartFact(.filenameBidi, at: bidi)) }
    }
}

/// U+0080 to U+009F, after C2: control sequences for some terminals.
private func isC1(_ second: UInt8) -> Bool { second >= 0x80 && second <= 0x9F }

/// U+202A to U+202E and U+2066 to U+2069, after E2: embeddings, overrides and isolates.
private func isBidi(_ second: UInt8, _ third: UInt8) -> Bool {
    second == 0x80 && third >= 0xAA && third <= 0xAE
        || second == 0x81 && third >= 0xA6 && third <= 0xA9
}
