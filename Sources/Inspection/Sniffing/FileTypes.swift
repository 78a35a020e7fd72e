/// The media types that a file can begin like, by the names they have here.
///
/// They have the names that IANA registered, where it did, and others that are in use.
package enum FileTypes {
    /// Every type the sniffer can give.
    package static let all: [String] = {
        let every =
            FileSignature.all.map(\.mediaType) + ZIPContent.types + TextBeginning.types + [
                "video/webm", "video/mp2t", "audio/aac", "application/json", "text/plain",
                "application/octet-stream",
            ]
        return Set(every).sorted()
    }()

    /// Words that stand for several types in `deniedTypes`.
    package static let groups: [(name: String, types: [String])] = [
        (
            "executable",
            [
                "application/x-elf", "application/vnd.microsoft.portable-executable",
                "application/x-mach-binary", "application/java-vm", "application/java-archive",
                "application/wasm", "application/vnd.android.dex", "application/x-ms-shortcut",
                "application/vnd.adobe.flash.movie", "application/vnd.ms-htmlhelp",
                "application/vnd.debian.binary-package", "application/x-rpm",
            ]
        ),
        (
            "script",
            [
                "text/x-shellscript", "application/x-bat", "application/x-httpd-php",
                "text/x-server-page",
            ]
        ),
        ("markup", ["text/html", "text/xml"]),
        (
            "archive",
            [
                "application/zip", "application/gzip", "application/x-compress",
                "application/x-bzip2", "application/x-xz", "application/x-lzip",
                "application/x-lz4", "application/zstd", "application/x-7z-compressed",
                "application/vnd.rar", "application/vnd.ms-cab-compressed",
                "application/x-archive", "application/x-rpm", "application/x-tar",
            ]
        ),
    ]

    /// What a type is built on: whoever reads that reads it as well.
    static func bases(of type: String) -> [String] {
        switch type {
        case "application/xhtml+xml": ["text/xml", "text/html"]
        case "image/svg+xml": ["text/xml"]
        case "video/webm": ["video/matroska"]
        case "application/vnd.android.package-archive": ["application/java-archive"]
        case "application/vnd.debian.binary-package": ["application/x-archive"]
        case "application/java-archive", "application/epub+zip", ZIPContent.openDocument,
            ZIPContent.officeOpenXML:
            ["application/zip"]
        case _ where type.hasPrefix(ZIPContent.openDocument + "."): [ZIPContent.openDocument]
        case _ where type.hasPrefix(ZIPContent.officeOpenXML + "."): [ZIPContent.officeOpenXML]
        default: []
        }
    }

    /// True if `type` is `base`, or built on it.
    static func isBuilt(_ type: String, on base: String) -> Bool {
        type == base || bases(of: type).contains { isBuilt($0, on: base) }
    }

    /// True if a type is what `entry` of `deniedTypes` names: a type with all that is built on it,
    /// a family (`image/*`) with all that is built on one of it, or a group.
    static func covers(_ entry: String, _ type: String) -> Bool {
        if let group = groups.first(where: { $0.name == entry }) {
            return group.types.contains { isBuilt(type, on: $0) }
        }
        if entry.hasSuffix("/*"), type.hasPrefix(entry.dropLast()) { return true }
        return type == entry || bases(of: type).contains { covers(entry, $0) }
    }

    /// True of text that is meant to be read as such, and may speak of anything.
    static func isText(_ type: String) -> Bool {
        type.hasPrefix("text/") || textTypes.contains(type)
    }

    private static let textTypes = [
        "application/json", "application/xhtml+xml", "image/svg+xml", "application/x-httpd-php",
        "application/x-bat", "application/rtf", "application/postscript",
    ]

    static func isArchive(_ type: String) -> Bool {
        knownArchives[type] ?? covers("archive", type)
    }

    /// Asked of every file, so the answers for what the sniffer can give are made once.
    private static let knownArchives = Dictionary(
        uniqueKeysWithValues: all.map { ($0, covers("archive", $0)) }
    )

    /// The name a type has here, of the names it goes by; in lower case.
    package static func canonical(_ name: String) -> String {
        aliases.first { $0.names.contains(name) }?.type ?? name
    }
}
