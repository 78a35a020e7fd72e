internal import Wire

/// The header block of one part: where it lies, its fields, and what they say about the part.
///
/// Names and filenames are as sent: nothing is percent-decoded or unescaped, no path is cut off.
/// Bytes that are not UTF-8 are shown as U+FFFD.
public struct PartHead: Sendable {
    /// One header field, as ranges of `bytes`.
    public struct Field: Equatable, Sendable {
        public let name: Range<Int>

        /// The value, without the spaces and tabs around it.
        public let value: Range<Int>
    }

    /// The index of the part in its body, from 0.
    public let index: Int

    /// The body offset of the first byte of the header block.
    public let headOffset: Int

    /// The body offset of the first byte of the content.
    public let contentOffset: Int

    /// The header block, bounded by the limits; the line end before a folded line is spaces.
    public let bytes: [UInt8]

    /// The fields in order, repeated ones included; lines without a colon are not listed.
    public let fields: [Field]

    /// The `name` parameter, or nil.
    public let name: String?

    /// The `filename` parameter, or nil; nil also where only `filename*` is given.
    public let filename: String?

    /// The decoded `filename*` parameter, or nil where there is none or it is malformed.
    public let extendedFilename: String?

    /// The value of Content-Type, with its parameters, or nil.
    public let contentType: String?

    /// How many header fields the part has.
    public var fieldCount: Int { fields.count }

    /// True for a file, false for a field: whether there is a filename of either form.
    public var isFile: Bool { filename != nil || extendedFilename != nil }

    /// Text for a range of `bytes`, such as the name or value of a field.
    public func text(_ range: Range<Int>) -> String {
        bytes.span.extracting(range.clamped(to: bytes.indices)).repairedText
    }

    /// The value of the first field with this name, in any case, or nil.
    public func value(of name: String) -> String? {
        fields.first { bytes.span.extracting($0.name).equalsIgnoringCase(name) }
            .map { text($0.value) }
    }
}
