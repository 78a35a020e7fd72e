import TestSupport

/// The WHATWG MIME Sniffing standard over a whole buffer, as its tables have it.
///
/// The tests say where the sniffer goes beyond it.
enum NaiveSniffer {
    /// A row of §6 or §7.1: a pattern, a mask, and whether space may stand before it.
    struct Row {
        let type: String
        let pattern: [UInt8]
        let mask: [UInt8]
        let skipsSpace: Bool
        let endsTag: Bool

        init(
            _ type: String,
            _ pattern: [UInt8],
            mask: [UInt8]? = nil,
            skipsSpace: Bool = false,
            endsTag: Bool = false
        ) {
            self.type = type
            self.pattern = pattern
            self.mask = mask ?? pattern.map { _ in 0xFF }
            self.skipsSpace = skipsSpace
            self.endsTag = endsTag
        }

        func matches(_ bytes: [UInt8]) -> Bool {
            var rest = bytes[...]
            if skipsSpace { rest = rest.drop { [0x09, 0x0A, 0x0C, 0x0D, 0x20].contains($0) } }
            guard rest.count >= pattern.count + (endsTag ? 1 : 0) else { return false }
            for ((byte, mask), wanted) in zip(zip(rest, mask), pattern) where byte & mask != wanted
            {
                return false
            }
            guard endsTag, let end = rest.dropFirst(pattern.count).first else { return true }
            return NaiveSniffer.tagEnds.contains(end)
        }
    }

    /// The standard has the space and ">"; HTML ends a tag at the others too.
    static let tagEnds: [UInt8] = [0x20, 0x3E, 0x09, 0x0A, 0x0C, 0x0D, 0x2F]

    static let rows: [Row] = markup + text + images + soundsAndFilms + archives + fonts

    private static let markup =
        [
            "!DOCTYPE HTML", "HTML", "HEAD", "SCRIPT", "IFRAME", "H1", "DIV", "FONT", "TABLE", "A",
            "STYLE", "TITLE", "B", "BODY", "BR", "P",
        ].map { tag in
            let letters = Array("<\(tag)".utf8)
            let mask: [UInt8] = letters.map { (0x41...0x5A).contains($0) ? 0xDF : 0xFF }
            return Row("text/html", letters, mask: mask, skipsSpace: true, endsTag: true)
        } + [
            Row("text/html", Array("<!--".utf8), skipsSpace: true),
            Row("text/xml", Array("<?xml".utf8), skipsSpace: true),
            Row("application/pdf", Array("%PDF-".utf8)),
        ]

    private static let text = [
        Row("application/postscript", Array("%!PS-Adobe-".utf8)),
        Row("text/plain", [0xFE, 0xFF, 0, 0], mask: [0xFF, 0xFF, 0, 0]),
        Row("text/plain", [0xFF, 0xFE, 0, 0], mask: [0xFF, 0xFF, 0, 0]),
        Row("text/plain", [0xEF, 0xBB, 0xBF, 0], mask: [0xFF, 0xFF, 0xFF, 0]),
    ]

    private static let images = [
        Row("image/x-icon", [0, 0, 1, 0]),
        Row("image/x-icon", [0, 0, 2, 0]),
        Row("image/bmp", [0x42, 0x4D]),
        Row("image/gif", [0x47, 0x49, 0x46, 0x38, 0x37, 0x61]),
        Row("image/gif", [0x47, 0x49, 0x46, 0x38, 0x39, 0x61]),
        container("image/webp", "RIFF", "WEBPVP"),
        Row("image/png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        Row("image/jpeg", [0xFF, 0xD8, 0xFF]),
    ]

    private static let soundsAndFilms = [
        container("audio/aiff", "FORM", "AIFF"),
        Row("audio/mpeg", [0x49, 0x44, 0x33]),
        Row("application/ogg", [0x4F, 0x67, 0x67, 0x53, 0]),
        Row("audio/midi", [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6]),
        container("video/x-msvideo", "RIFF", "AVI "),
        container("audio/wav", "RIFF", "WAVE"),
    ]

    private static let archives = [
        Row("application/gzip", [0x1F, 0x8B, 0x08]),
        Row("application/zip", [0x50, 0x4B, 3, 4]),
        Row("application/vnd.rar", [0x52, 0x61, 0x72, 0x20, 0x1A, 7, 0]),
    ]

    private static let fonts = [
        Row("font/ttf", [0, 1, 0, 0]),
        Row("font/otf", Array("OTTO".utf8)),
        Row("font/collection", Array("ttcf".utf8)),
        Row("font/woff", Array("wOFF".utf8)),
        Row("font/woff2", Array("wOF2".utf8)),
    ]

    private static func container(_ type: String, _ name: String, _ kind: String) -> Row {
        let pattern = Array(name.utf8) + [0, 0, 0, 0] + Array(kind.utf8)
        let mask = pattern.indices.map { (4..<8).contains($0) ? 0 : UInt8(0xFF) }
        return Row(type, pattern, mask: mask)
    }

    /// §7.1 over the first 512 bytes; nil for no bytes.
    static func type(of file: [UInt8]) -> String? {
        let bytes = Array(file.prefix(512))
        guard !bytes.isEmpty else { return nil }
        let isBinary = bytes.contains {
            $0 <= 8 || $0 == 0x0B || (0x0E...0x1A).contains($0) || (0x1C...0x1F).contains($0)
        }
        for row in rows where row.matches(bytes) {
            let isWord =
                row.pattern.count <= 4 && row.pattern.allSatisfy { (0x20...0x7E).contains($0) }
            // Up to four letters are believed only where they are not the beginning of a text.
            if isWord, !isBinary, !row.skipsSpace { continue }
            return row.type
        }
        if isMP4(bytes) { return "video/mp4" }
        if isWebM(bytes) { return "video/webm" }
        if isMP3(bytes) { return "audio/mpeg" }
        return isBinary ? "application/octet-stream" : "text/plain"
    }

    /// §6.2.1, the signature for MP4.
    private static func isMP4(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 12 else { return false }
        let size = bytes[..<4].reduce(0) { $0 << 8 | Int($1) }
        guard bytes.count >= size, size % 4 == 0, bytes[4..<8] == [0x66, 0x74, 0x79, 0x70] else {
            return false
        }
        let brands = [8] + Array(stride(from: 16, to: size, by: 4))
        return brands.contains { bytes[$0...].starts(with: [0x6D, 0x70, 0x34]) }
    }

    /// §6.2.2, the signature for WebM.
    private static func isWebM(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return false }
        var index = 4
        while index < min(bytes.count, 38) {
            if bytes[index...].starts(with: [0x42, 0x82]) {
                index += 2
                guard index < bytes.count else { return false }
                index += bytes[index].leadingZeroBitCount.advanced(by: 1)
                guard index < bytes.count - 4 else { return false }
                if bytes[index...].drop(while: { $0 == 0 }).starts(with: Array("webm".utf8)) {
                    return true
                }
            }
            index += 1
        }
        return false
    }

    /// §6.2.3, the signature for MP3 without ID3: two frames.
    private static func isMP3(_ bytes: [UInt8]) -> Bool {
        guard isFrame(bytes, at: 0) else { return false }
        let version = bytes[1] >> 3 & 3
        let first = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        let second = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        let rate = (version & 1 == 1 ? first : second)[Int(bytes[2] >> 4)] * 1000
        let sampling = [44100, 48000, 32000][Int(bytes[2] >> 2 & 3)]
        let size = rate * (version == 1 ? 72 : 144) / sampling + Int(bytes[2] >> 1 & 1)
        return size >= 4 && size <= bytes.count && isFrame(bytes, at: size)
    }

    private static func isFrame(_ bytes: [UInt8], at start: Int) -> Bool {
        guard bytes.count - start >= 4, bytes[start] == 0xFF, bytes[start + 1] & 0xE0 == 0xE0 else {
            return false
        }
        return bytes[start + 1] >> 1 & 3 == 1 && bytes[start + 2] >> 4 != 15
            && bytes[start + 2] >> 2 & 3 != 3
    }
}
