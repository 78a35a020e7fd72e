/// A body written with its places of interest marked in the text, so that no row counts bytes.
///
///     ▲   the offset of the decisive finding
///     ■   the first byte that is withheld when the body is fed byte by byte
struct MarkedBody {
    let bytes: [UInt8]

    /// Where ▲ stood.
    let finding: Int?

    /// Where ■ stood, or else the end.
    let released: Int

    init(_ text: String) {
        var bytes: [UInt8] = []
        var finding: Int?
        var released: Int?
        // Scalars, because CR LF and a mark after it are no Characters of their own.
        for scalar in text.unicodeScalars {
            switch scalar {
            case "▲": finding = bytes.count
            case "■": released = bytes.count
            default: bytes += Array(String(scalar).utf8)
            }
        }
        self.bytes = bytes
        self.finding = finding
        self.released = released ?? bytes.count
    }
}
