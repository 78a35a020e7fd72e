internal import Wire

/// Whether what a part declares itself to be fits what it begins like.
///
/// A declaration is compared by what its readers would do with the bytes. One that promises nothing
/// (none at all, or application/octet-stream) fits everything, and a type nobody here knows the
/// beginning of fits everything but programs and pages. A picture that is a program, or a page,
/// does not fit; one picture format for another is no danger. Clients go by the filename: what is
/// called .ts is a film to most browsers, and CSV is `application/vnd.ms-excel` to Windows.
enum DeclaredType {
    static func fits(_ declared: String?, _ sniffed: String) -> Bool {
        guard let declared = bareType(declared), !promisesNothing.contains(declared) else {
            return true
        }
        let type = FileTypes.canonical(declared)
        if FileTypes.isBuilt(type, on: sniffed) || FileTypes.isBuilt(sniffed, on: type) {
            return true
        }
        if alsoFit.contains(where: { $0.declared == type && $0.sniffed.contains(sniffed) }) {
            return true
        }
        switch sniffed {
        case "text/plain": return !isKnown(type) || FileTypes.isText(type) && !isExact(type)
        case "application/octet-stream": return !isKnown(type) && !type.hasPrefix("text/")
        case "application/x-httpd-php": return false
        case "text/x-server-page", "application/x-bat": return type.hasPrefix("text/")
        case "text/x-shellscript": return type.hasPrefix("text/") || isScript(type)
        case _ where FileTypes.covers("executable", sniffed): return isProgram(type)
        case _ where FileTypes.isText(sniffed): return takesMarkup(type, sniffed)
        default: return fitsFormat(type, sniffed)
        }
    }

    private static let promisesNothing = [
        "application/octet-stream", "binary/octet-stream", "application/binary",
        "application/unknown", "application/x-unknown", "application/download",
        "application/x-download", "application/force-download", "unknown/unknown",
    ]

    /// What the kinds of the two types do not tell.
    private static let alsoFit: [(declared: String, sniffed: [String])] = [
        // TypeScript, and the translations of Qt.
        ("video/mp2t", ["text/plain", "text/xml", "text/x-shellscript", "application/json"]),
        // Streams that may begin in the middle of a frame.
        ("video/mp2t", ["application/octet-stream"]),
        ("video/mpeg", ["application/octet-stream"]),
        ("audio/mpeg", ["application/octet-stream"]),
        ("audio/aac", ["application/octet-stream"]),
        // A template may begin with what it makes.
        ("application/x-httpd-php", ["text/html", "text/xml", "application/xhtml+xml"]),
        // Compressed drawings, those of Illustrator, and those that are packages.
        ("image/svg+xml", ["application/gzip"]),
        ("application/postscript", ["application/pdf"]),
        ("image/openraster", ["application/zip"]),
        // What is called .tar.gz and the like.
        (
            "application/x-tar",
            [
                "application/gzip", "application/x-bzip2", "application/x-xz", "application/zstd",
                "application/x-compress", "application/x-lzip",
                // And archives from before there was a mark.
                "application/octet-stream",
            ]
        ),
        // Where the name tells no more than that it runs.
        (
            "application/vnd.microsoft.portable-executable",
            ["application/x-bat", "application/x-ole-storage"]
        ),
    ]

    /// Formats, with a form of their own: pictures, sounds, fonts, documents, archives.
    private static func fitsFormat(_ type: String, _ sniffed: String) -> Bool {
        let (kind, other) = (kind(of: type), kind(of: sniffed))
        if type.hasPrefix("text/") || type == "image/svg+xml" { return false }
        if kind != nil { return kind == other }
        // A document that is locked with a password is in OLE, whatever it is without.
        if type.hasPrefix(ZIPContent.officeOpenXML), sniffed == "application/x-ole-storage" {
            return true
        }
        if type.hasPrefix(ZIPContent.openDocument), sniffed.hasPrefix(ZIPContent.openDocument) {
            return true
        }
        return !isKnown(type)
    }

    /// Pages, XML, JSON and other text: what reads text, or nothing that is known, reads it.
    private static func takesMarkup(_ type: String, _ sniffed: String) -> Bool {
        if type.hasSuffix("json") { return sniffed == "application/json" }
        if type.hasSuffix("xml") { return sniffed != "application/json" }
        if type.hasPrefix("text/") { return true }
        return kind(of: type) == nil && !isKnown(type)
    }

    private static func isKnown(_ type: String) -> Bool { FileTypes.all.contains(type) }

    /// True of text that begins in one way alone.
    private static func isExact(_ type: String) -> Bool {
        ["image/svg+xml", "application/rtf"].contains(type)
    }

    private static func isScript(_ type: String) -> Bool {
        ["script", "perl", "python", "ruby", "x-tcl", "x-lua"].contains {
            type.contains($0) && type.hasPrefix("application/") && !type.contains("postscript")
        }
    }

    private static func isProgram(_ type: String) -> Bool {
        [
            "application/x-executable", "application/x-sharedlib", "application/x-object",
            "application/x-pie-executable", "application/x-core", "application/vnd.appimage",
            "application/x-iso9660-appimage", "application/x-apple-diskimage",
        ].contains(type) || type.hasPrefix("application/x-ms") && !isKnown(type)
    }

    /// What a picture, a sound or a film, or a font is to who shows or plays it.
    private static func kind(of type: String) -> String? {
        switch type {
        case "application/ogg": "audio"
        case "application/vnd.ms-fontobject": "font"
        case _ where type.hasPrefix("image/"): "image"
        case _ where type.hasPrefix("audio/") || type.hasPrefix("video/"): "audio"
        case _ where type.hasPrefix("font/"): "font"
        default: nil
        }
    }

    /// The type without its parameters, in lower case; nil if there is none.
    private static func bareType(_ declared: String?) -> String? {
        guard let declared else { return nil }
        // Nearly all clients write it bare, and then nothing needs to be made.
        if declared.utf8.allSatisfy(bare.contains) {
            return declared.utf8.contains(UInt8(ascii: "/")) ? declared : nil
        }
        let bare = declared.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return bare.contains("/") ? bare : nil
    }

    /// US-ASCII but for capitals, SP, HTAB and the semicolon.
    private static var bare: ByteClass {
        ByteClass(low: 0xF7FF_FFFE_FFFF_FDFF, high: 0xFFFF_FFFF_F800_0001)
    }
}
