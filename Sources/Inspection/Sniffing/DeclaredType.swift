/// Whether what a part declares itself to be fits what it begins like.
///
/// A declaration is compared by what its readers would do with the bytes. One that promises nothing
/// (none at all, or application/octet-stream) fits everything, and so does a type nobody here knows
/// the beginning of. A picture that is a program, or a page, does not fit.
enum DeclaredType {
    static func fits(_ declared: String?, _ sniffed: String) -> Bool {
        guard let declared = bareType(declared), declared != "application/octet-stream" else {
            return true
        }
        if declared == sniffed || alias(declared) == sniffed { return true }
        let kinds = (declared.prefix { $0 != "/" }, sniffed.prefix { $0 != "/" })
        switch sniffed {
        case "text/plain":
            // Text is the source of many types: only one that is known to begin otherwise is
            // contradicted, and so it is with bytes that begin like nothing.
            return !hasKnownBeginning(declared)
        case "application/octet-stream":
            return !hasKnownBeginning(declared)
        case "application/zip":
            return !isMedia(kinds.0) && kinds.0 != "text"
        case "text/xml", "application/json", "text/html", "text/x-shellscript":
            return kinds.0 == "text" || declared.hasSuffix("xml") || declared.hasSuffix("json")
                || declared.hasPrefix("application/") && !isProgram(sniffed)
        default:
            // One film or sound format for another, one picture format for another, is no danger.
            return isMedia(kinds.0) && kinds.0 == kinds.1
                || sniffed.hasPrefix("application/vnd.o") && declared.hasPrefix("application/")
                || sniffed == "application/x-ole-storage" && declared.hasPrefix("application/")
                || kinds.0 == "video" && kinds.1 == "audio"
                || kinds.0 == "audio" && kinds.1 == "video"
                || sniffed == "application/ogg" && (kinds.0 == "audio" || kinds.0 == "video")
        }
    }

    private static func hasKnownBeginning(_ type: String) -> Bool {
        let type = alias(type)
        return FileSignature.all.contains { $0.mediaType == type }
    }

    private static func isMedia(_ kind: Substring) -> Bool {
        kind == "image" || kind == "audio" || kind == "video" || kind == "font"
    }

    private static func isProgram(_ type: String) -> Bool { type == "text/x-shellscript" }

    /// The type without its parameters, in lower case; nil if there is none.
    private static func bareType(_ declared: String?) -> String? {
        guard let declared else { return nil }
        let bare = declared.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return bare.isEmpty ? nil : bare
    }

    private static func alias(_ type: String) -> String {
        switch type {
        case "image/jpg", "image/pjpeg": "image/jpeg"
        case "image/x-png": "image/png"
        case "image/vnd.microsoft.icon": "image/x-icon"
        case "image/x-ms-bmp": "image/bmp"
        case "application/x-pdf": "application/pdf"
        case "application/x-gzip", "application/x-tgz": "application/gzip"
        case "application/x-zip-compressed": "application/zip"
        case "application/x-rar-compressed": "application/vnd.rar"
        case "application/xml": "text/xml"
        case "audio/mp3": "audio/mpeg"
        case "audio/x-wav", "audio/wave": "audio/wav"
        case "audio/x-flac": "audio/flac"
        case "application/javascript", "text/javascript": "text/plain"
        case "application/x-sh": "text/x-shellscript"
        case "application/x-msdownload", "application/x-dosexec":
            "application/vnd.microsoft.portable-executable"
        case "application/x-executable", "application/x-sharedlib": "application/x-elf"
        default: type
        }
    }
}
