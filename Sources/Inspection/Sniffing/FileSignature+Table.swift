extension FileSignature {
    /// Of two at the same place the first that matches tells, so longer patterns stand before
    /// shorter ones.
    static let all: [FileSignature] =
        images + isoFiles + sounds + films + documents + archives + programs + fonts

    /// Those at the very beginning, by their first byte.
    static let atStart: [[FileSignature]] = (0...255).map { byte in
        all.filter { $0.offset == 0 && $0.pattern[0] == UInt8(byte) }
    }

    static let furtherOn = all.filter { $0.offset != 0 }

    private static let images = [
        FileSignature("image/png", "\u{89}PNG\r\n\u{1A}\n"),
        FileSignature("image/jpeg", "\u{FF}\u{D8}\u{FF}"),
        FileSignature("image/gif", "GIF87a"),
        FileSignature("image/gif", "GIF89a"),
        FileSignature("image/webp", "RIFF", also: (8, "WEBPVP")),
        FileSignature("image/bmp", "BM"),
        FileSignature("image/x-icon", "\0\0\u{1}\0"),
        FileSignature("image/x-icon", "\0\0\u{2}\0"),
        FileSignature("image/tiff", "II*\0"),
        FileSignature("image/tiff", "MM\0*"),
        FileSignature("image/tiff", "II+\0"),
        FileSignature("image/tiff", "MM\0+"),
        FileSignature("image/jxl", "\0\0\0\u{C}JXL \r\n\u{87}\n"),
        FileSignature("image/jxl", "\u{FF}\n"),
        FileSignature("image/jp2", "\0\0\0\u{C}jP  \r\n\u{87}\n"),
        FileSignature("image/jp2", "\u{FF}O\u{FF}Q"),
        FileSignature("image/vnd.adobe.photoshop", "8BPS\0\u{1}"),
    ]

    /// ISO base media files, by their major brand; whatever else has one is a film.
    private static let isoFiles =
        [
            ("image/avif", ["avif", "avis"]),
            ("image/heic", ["heic", "heix", "heim", "heis", "hevc", "hevx", "hevm", "hevs"]),
            ("image/heif", ["mif1", "mif2", "msf1", "miaf"]),
            ("image/x-canon-cr3", ["crx "]),
            ("video/quicktime", ["qt  "]),
            ("audio/mp4", ["M4A ", "M4B ", "M4P ", "F4A "]),
            ("video/3gpp", ["3gp", "3gr", "3gs", "3ge", "3gg"]),
            ("video/3gpp2", ["3g2"]),
            ("video/mp4", [""]),
        ].flatMap { type, brands in brands.map { FileSignature(type, "ftyp" + $0, at: 4) } } + [
            // A segment of a film, and films from before there were brands.
            FileSignature("video/mp4", "styp", at: 4),
            FileSignature("video/quicktime", "moov", at: 4),
            FileSignature("video/quicktime", "mdat", at: 4),
            FileSignature("video/quicktime", "wide", at: 4),
            FileSignature("video/quicktime", "free", at: 4),
            FileSignature("video/quicktime", "skip", at: 4),
        ]

    private static let sounds = [
        FileSignature("audio/wav", "RIFF", also: (8, "WAVE")),
        FileSignature("audio/wav", "RF64", also: (8, "WAVE")),
        FileSignature("audio/aiff", "FORM", also: (8, "AIFF")),
        FileSignature("audio/aiff", "FORM", also: (8, "AIFC")),
        FileSignature("audio/basic", ".snd"),
        FileSignature("audio/mpeg", "ID3"),
        FileSignature("application/ogg", "OggS\0"),
        FileSignature("audio/flac", "fLaC"),
        FileSignature("audio/midi", "MThd\0\0\0\u{6}"),
        FileSignature("audio/midi", "RIFF", also: (8, "RMID")),
        FileSignature("audio/aac", "ADIF"),
        FileSignature("audio/amr", "#!AMR"),
    ]

    private static let films = [
        FileSignature("video/x-msvideo", "RIFF", also: (8, "AVI ")),
        FileSignature("video/matroska", "\u{1A}E\u{DF}\u{A3}"),
        FileSignature("video/mpeg", "\0\0\u{1}\u{BA}"),
        FileSignature("video/mpeg", "\0\0\u{1}\u{B3}"),
        FileSignature("video/x-flv", "FLV\u{1}"),
        FileSignature("video/x-ms-asf", "0&\u{B2}u\u{8E}f\u{CF}\u{11}\u{A6}\u{D9}"),
    ]

    private static let documents = [
        FileSignature("application/pdf", "%PDF-"),
        FileSignature("application/postscript", "%!PS-Adobe-"),
        FileSignature("application/postscript", "\u{C5}\u{D0}\u{D3}\u{C6}"),
        FileSignature(
            "application/x-ole-storage",
            "\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}"
        ),
        FileSignature("application/rtf", "{\\rtf"),
        FileSignature("application/vnd.ms-htmlhelp", "ITSF"),
        FileSignature("application/vnd.sqlite3", "SQLite format 3\0"),
        FileSignature("application/x-msaccess", "\0\u{1}\0\0Standard "),
        FileSignature("application/dicom", "DICM", at: 128),
    ]

    private static let archives = [
        FileSignature("application/zip", "PK\u{3}\u{4}"),
        FileSignature("application/zip", "PK\u{5}\u{6}"),
        FileSignature("application/zip", "PK\u{7}\u{8}PK\u{3}\u{4}"),
        FileSignature("application/zip", "PK00PK\u{3}\u{4}"),
        FileSignature("application/gzip", "\u{1F}\u{8B}\u{8}"),
        FileSignature("application/x-compress", "\u{1F}\u{9D}"),
        // A block, or the end where there is none.
        FileSignature("application/x-bzip2", "BZh", also: (4, "1AY&SY")),
        FileSignature("application/x-bzip2", "BZh", also: (4, "\u{17}rE8P\u{90}")),
        FileSignature("application/x-xz", "\u{FD}7zXZ\0"),
        FileSignature("application/x-lzip", "LZIP\u{1}"),
        FileSignature("application/x-lz4", "\u{4}\"M\u{18}"),
        FileSignature("application/zstd", "(\u{B5}/\u{FD}"),
        FileSignature("application/x-7z-compressed", "7z\u{BC}\u{AF}'\u{1C}"),
        FileSignature("application/vnd.rar", "Rar!\u{1A}\u{7}"),
        FileSignature("application/vnd.rar", "Rar \u{1A}\u{7}\0"),
        FileSignature("application/vnd.ms-cab-compressed", "MSCF\0\0\0\0"),
        FileSignature("application/vnd.debian.binary-package", "!<arch>\ndebian-binary"),
        FileSignature("application/x-archive", "!<arch>\n"),
        FileSignature("application/x-rpm", "\u{ED}\u{AB}\u{EE}\u{DB}"),
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
        FileSignature("application/x-mach-binary", "\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{4}"),
        FileSignature("application/java-vm", "\u{CA}\u{FE}\u{BA}\u{BE}"),
        FileSignature("application/vnd.android.dex", "dex\n0"),
        FileSignature("application/wasm", "\0asm"),
        FileSignature("application/x-ms-shortcut", "L\0\0\0\u{1}\u{14}\u{2}\0"),
        FileSignature("application/vnd.adobe.flash.movie", "FWS"),
        FileSignature("application/vnd.adobe.flash.movie", "CWS"),
        FileSignature("application/vnd.adobe.flash.movie", "ZWS"),
    ]

    private static let fonts = [
        FileSignature("font/woff2", "wOF2"),
        FileSignature("font/woff", "wOFF"),
        FileSignature("font/otf", "OTTO"),
        FileSignature("font/ttf", "true\0"),
        FileSignature("font/collection", "ttcf"),
        FileSignature("font/ttf", "\0\u{1}\0\0"),
        FileSignature("application/vnd.ms-fontobject", "\u{1}\0\u{2}\0", at: 8, also: (34, "LP")),
        FileSignature("application/vnd.ms-fontobject", "\u{2}\0\u{2}\0", at: 8, also: (34, "LP")),
        FileSignature("application/vnd.ms-fontobject", "\0\0\u{1}\0", at: 8, also: (34, "LP")),
    ]
}
