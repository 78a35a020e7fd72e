internal import Wire

/// What a contract says of the parts that have one name.
package struct FieldRule: Equatable, Sendable {
    /// As it is sent; nothing in it is decoded.
    package let name: String

    /// Whether a part of this name has a filename.
    package var kind: PartReport.Kind

    package var isRequired = false

    /// How many parts may have the name; nil is any number.
    ///
    /// One by default: of two equal names some readers take the first, others the last.
    package var maximumCount: Int? = 1

    /// Bounds on the size of each part.
    package var minimumBytes = 0
    package var maximumBytes: Int?

    /// Media types the part may declare, or families such as `image/*`; empty accepts any.
    ///
    /// A part that declares none is text/plain (RFC 7578 §4.4).
    package var contentTypes: [String] = []

    /// Media types the file may begin like, or families; empty accepts any.
    package var sniffedTypes: [String] = []

    /// Ends of filenames, in lower case without the dot before them; empty accepts any.
    package var extensions: [String] = []

    package var filename = FilenameRule()

    package init(_ name: String, _ kind: PartReport.Kind) {
        self.name = name
        self.kind = kind
    }

    /// What the rule has against a part that declares itself so, before any of its content.
    func objections(filenames: [String], contentType: String?) -> [PolicyReason] {
        var objections: [PolicyReason] = []
        // A part may have a filename in two forms, and upstreams differ in which they take.
        if !filenames.allSatisfy(filename.accepts) { objections.append(.contractFilenameDenied) }
        if !extensions.isEmpty, !filenames.allSatisfy(hasAcceptedExtension) {
            objections.append(.contractExtensionDenied)
        }
        if !MediaTypeSet.accepts(contentTypes, declared: contentType ?? "text/plain") {
            objections.append(.contractTypeDenied)
        }
        return objections
    }

    /// True if something stands before one of the extensions in the last piece of a path.
    private func hasAcceptedExtension(_ filename: String) -> Bool {
        let separators = [UInt8(ascii: "/"), UInt8(ascii: "\\")]
        let bytes = filename.utf8.map(ASCII.lowercased)
        let piece = bytes.suffix(from: (bytes.lastIndex(where: separators.contains) ?? -1) + 1)
        return extensions.contains { ending in
            let dotted = Array(".\(ending)".utf8)
            return piece.count > dotted.count && piece.suffix(dotted.count) == dotted[...]
        }
    }
}
