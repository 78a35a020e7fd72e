internal import HTTP1
internal import Wire

/// The field in which Weir tells the digests of the parts of an upload: in the trailer of the
/// request, where the upstream wants them, and in the head of the answer, where the client does.
///
/// Only Weir says it: one that comes from elsewhere could say anything.
enum PartDigestField {
    static let name: StaticString = "Weir-Part-Digest"

    private static let nameText = name.description

    /// True for a field of this name, and for one that gateways such as CGI and WSGI take for it.
    static func isNamed(_ line: FieldLine, in section: FieldSection) -> Bool {
        guard line.known == .other, line.name.count == nameText.utf8.count else { return false }
        return section.bytes[line.name].elementsEqual(nameText.utf8) {
            ($0 == UInt8(ascii: "_") ? ASCII.dash : ASCII.lowercased($0)) == ASCII.lowercased($1)
        }
    }
}
