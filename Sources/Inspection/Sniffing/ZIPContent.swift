internal import Wire

/// What a ZIP archive is the package of, by those of its first entries that are in sight.
///
/// A local header (APPNOTE 4.3.7) has its method at 8, the lengths of name and extra field at 26
/// and 28, and the name at 30.
enum ZIPContent {
    static let openDocument = "application/vnd.oasis.opendocument"
    static let officeOpenXML = "application/vnd.openxmlformats-officedocument"

    /// Every type it can tell.
    static let types =
        [
            "application/zip", "application/epub+zip", "application/java-archive",
            "application/vnd.android.package-archive", openDocument, officeOpenXML,
        ] + officeFolders.map(\.type) + openDocumentKinds.map { openDocument + "." + $0 }

    private static let openDocumentKinds = [
        "text", "text-template", "text-master", "spreadsheet", "spreadsheet-template",
        "presentation", "presentation-template", "graphics", "graphics-template", "formula",
        "chart", "image", "base",
    ]

    private static let officeFolders: [(folder: String, type: String)] = [
        ("word/", officeOpenXML + ".wordprocessingml.document"),
        ("xl/", officeOpenXML + ".spreadsheetml.sheet"),
        ("ppt/", officeOpenXML + ".presentationml.presentation"),
    ]

    static func type(of start: Span<UInt8>) -> String {
        let names = names(in: start)
        guard let first = names.first else { return "application/zip" }
        if first.hasPrefix("mimetype"), let type = statedType(start) { return type }
        if names.contains("AndroidManifest.xml") || names.contains("classes.dex") {
            return "application/vnd.android.package-archive"
        }
        if first == "META-INF/" || names.contains("META-INF/MANIFEST.MF") {
            return "application/java-archive"
        }
        let isOffice = names.contains("[Content_Types].xml")
        for (folder, type) in officeFolders {
            let inside = names.filter { $0.hasPrefix(folder) }
            if isOffice && !inside.isEmpty || inside.contains(where: { $0.hasSuffix(".xml") }) {
                return type
            }
        }
        return isOffice ? officeOpenXML : "application/zip"
    }

    /// The content of a first entry that is called `mimetype` and stored as it is.
    private static func statedType(_ start: Span<UInt8>) -> String? {
        guard start[8] == 0, start[9] == 0 else { return nil }
        let content = 38 + Int(start[28]) + Int(start[29]) << 8
        if start.holds(Array("application/epub+zip".utf8), at: content) {
            return "application/epub+zip"
        }
        let family = Array(openDocument.utf8)
        guard start.holds(family, at: content) else { return nil }
        // The longest that fits: text-master begins like text.
        let kind = openDocumentKinds.sorted { $0.utf8.count > $1.utf8.count }.first {
            start.holds(Array(".\($0)".utf8), at: content + family.count)
        }
        return kind.map { openDocument + "." + $0 } ?? openDocument
    }

    /// The names of the entries whose headers are in sight, a last one as far as it is.
    private static func names(in start: Span<UInt8>) -> [String] {
        var names: [String] = []
        var index = 0
        while index + 30 <= start.count {
            guard start.holds([0x50, 0x4B, 0x03, 0x04], at: index) else {
                index += 1
                continue
            }
            let count = Int(start[index + 26]) + Int(start[index + 27]) << 8
            let name = start.extracting(index + 30..<min(index + 30 + count, start.count))
            names.append(name.repairedText)
            index = index + 30 + name.count
        }
        return names
    }
}
