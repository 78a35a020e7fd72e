/// A pattern at the beginning of a file that tells what the file is.
///
/// After the WHATWG MIME Sniffing standard, §6, with the formats that uploads bring beside those
/// that browsers show. All of it is within the first `SniffBuffer.capacity` bytes.
struct FileSignature: Sendable {
    let mediaType: String

    /// Where the pattern stands.
    let offset: Int

    /// The bytes, as a literal: one character a byte, so that `\u{89}PNG` is four bytes.
    let pattern: [UInt8]

    /// A second pattern that must be there too: the brand within a RIFF or ISO file.
    let also: (offset: Int, pattern: [UInt8])?

    init(_ mediaType: String, _ pattern: String, at offset: Int = 0, also: (Int, String)? = nil) {
        self.mediaType = mediaType
        self.offset = offset
        self.pattern = Self.bytes(pattern)
        self.also = also.map { ($0.0, Self.bytes($0.1)) }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    func matches(_ start: Span<UInt8>) -> Bool {
        guard Self.stands(pattern, at: offset, in: start) else { return false }
        guard let also else { return true }
        return Self.stands(also.pattern, at: also.offset, in: start)
    }

    private static func stands(_ pattern: [UInt8], at offset: Int, in start: Span<UInt8>) -> Bool {
        guard start.count >= offset + pattern.count else { return false }
        for index in pattern.indices where start[offset + index] != pattern[index] { return false }
        return true
    }
}

extension FileSignature {
    /// The first that matches tells: longer patterns stand before shorter ones.
    static let all: [FileSignature] =
        images + audioAndVideo + documents + archives + programs + fonts

    private static let images = [
        FileSignature("image/png", "\u{89}PNG\r\n\u{1A}\n"),
        FileSignature("image/jpeg", "\u{FF}\u{D8}\u{FF}"),
        FileSignature("image/gif", "GIF87a"),
        FileSignature("image/gif", "GIF89a"),
        FileSignature("image/webp", "RIFF", also: (8, "WEBPVP")),
        FileSignature("image/bmp", "BM", also: (6, "\0\0\0\0")),
        FileSignature("image/x-icon", "\0\0\u{1}\0"),
        FileSignature("image/tiff", "II*\0"),
        FileSignature("image/tiff", "MM\0*"),
        FileSignature("image/avif", "ftypavif", at: 4),
        FileSignature("image/avif", "ftypavis", at: 4),
        FileSignature("image/heic", "ftypheic", at: 4),
        FileSignature("image/heic", "ftypheix", at: 4),
        FileSignature("image/heif", "ftypmif1", at: 4),
        FileSignature("image/heif", "ftypmsf1", at: 4),
        FileSignature("image/jxl", "\0\0\0\u{C}JXL \r\n\u{87}\n"),
    ]

    private static let audioAndVideo = [
        FileSignature("video/quicktime", "ftypqt  ", at: 4),
        FileSignature("audio/mp4", "ftypM4A ", at: 4),
        FileSignature("video/mp4", "ftyp", at: 4),
        FileSignature("video/webm", "\u{1A}E\u{DF}\u{A3}"),
        FileSignature("video/x-msvideo", "RIFF", also: (8, "AVI ")),
        FileSignature("audio/wav", "RIFF", also: (8, "WAVE")),
        FileSignature("audio/aiff", "FORM", also: (8, "AIFF")),
        FileSignature("audio/aiff", "FORM", also: (8, "AIFC")),
        FileSignature("audio/mpeg", "ID3"),
        // MPEG audio, layer III of versions 1 and 2, with and without a checksum; and ADTS.
        FileSignature("audio/mpeg", "\u{FF}\u{FB}"),
        FileSignature("audio/mpeg", "\u{FF}\u{FA}"),
        FileSignature("audio/mpeg", "\u{FF}\u{F3}"),
        FileSignature("audio/mpeg", "\u{FF}\u{F2}"),
        FileSignature("audio/aac", "\u{FF}\u{F1}"),
        FileSignature("audio/aac", "\u{FF}\u{F9}"),
        FileSignature("application/ogg", "OggS\0"),
        FileSignature("audio/flac", "fLaC"),
        FileSignature("audio/midi", "MThd\0\0\0\u{6}"),
        FileSignature("video/mpeg", "\0\0\u{1}\u{BA}"),
        FileSignature("video/mpeg", "\0\0\u{1}\u{B3}"),
    ]

    private static let documents = [
        FileSignature("application/pdf", "%PDF-"),
        FileSignature("application/postscript", "%!PS-Adobe-"),
        FileSignature(
            "application/x-ole-storage",
            "\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}"
        ),
        FileSignature("application/rtf", "{\\rtf"),
    ]

    private static let archives = [
        // An archive whose first entry is `mimetype`, stored, says itself what it is.
        FileSignature(
            "application/epub+zip",
            "PK\u{3}\u{4}",
            also: (30, "mimetypeapplication/epub")
        ),
        FileSignature(
            "application/vnd.oasis.opendocument",
            "PK\u{3}\u{4}",
            also: (30, "mimetypeapplication/vnd.oasis.opendocument")
        ),
        FileSignature(
            "application/vnd.openxmlformats-officedocument",
            "PK\u{3}\u{4}",
            also: (30, "[Content_Types].xml")
        ),
        FileSignature("application/zip", "PK\u{3}\u{4}"),
        FileSignature("application/zip", "PK\u{5}\u{6}"),
        FileSignature("application/gzip", "\u{1F}\u{8B}\u{8}"),
        FileSignature("application/x-bzip2", "BZh"),
        FileSignature("application/x-xz", "\u{FD}7zXZ\0"),
        FileSignature("application/zstd", "(\u{B5}/\u{FD}"),
        FileSignature("application/x-7z-compressed", "7z\u{BC}\u{AF}'\u{1C}"),
        FileSignature("application/vnd.rar", "Rar!\u{1A}\u{7}"),
        FileSignature("application/x-tar", "ustar", at: 257),
    ]

    private static let programs = [
        FileSignature("application/x-elf", "\u{7F}ELF"),
        FileSignature("application/vnd.microsoft.portable-executable", "MZ"),
        FileSignature("application/x-mach-binary", "\u{CF}\u{FA}\u{ED}\u{FE}"),
        FileSignature("application/x-mach-binary", "\u{CE}\u{FA}\u{ED}\u{FE}"),
        FileSignature("application/x-mach-binary", "\u{FE}\u{ED}\u{FA}\u{CE}"),
        FileSignature("application/x-mach-binary", "\u{FE}\u{ED}\u{FA}\u{CF}"),
        // A universal binary says how many it holds where a Java class has its version, 45 or more.
        FileSignature("application/x-mach-binary", "\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{1}"),
        FileSignature("application/x-mach-binary", "\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{2}"),
        FileSignature("application/x-mach-binary", "\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{3}"),
        FileSignature("application/java-vm", "\u{CA}\u{FE}\u{BA}\u{BE}"),
        FileSignature("application/wasm", "\0asm"),
    ]

    private static let fonts = [
        FileSignature("font/woff2", "wOF2"),
        FileSignature("font/woff", "wOFF"),
        FileSignature("font/otf", "OTTO"),
        FileSignature("font/ttf", "true\0"),
        FileSignature("font/collection", "ttcf"),
        FileSignature("font/ttf", "\0\u{1}\0\0\0"),
    ]
}
