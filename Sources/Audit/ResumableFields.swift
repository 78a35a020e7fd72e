/// What a request says of a resumable upload: tus 1.0, or the drafts of resumable HTTP uploads.
///
/// Numbers are kept where they are numbers, and everything else is left out: a record shows no
/// text that it does not know.
package struct ResumableFields: Equatable, Sendable {
    /// Upload-Offset: where the bytes of this request belong.
    package var offset: Int?

    /// Upload-Length: the size of the whole upload.
    package var length: Int?

    /// Upload-Complete: whether this request brings the rest.
    package var isComplete: Bool?

    /// Upload-Defer-Length: the size is not known yet.
    package var defersLength: Bool?

    /// Tus-Resumable: the version of tus, such as `1.0.0`.
    package var tusVersion: String?

    package init() {}

    package var isEmpty: Bool { self == ResumableFields() }

    /// Takes a field, by its name in lower case; any other field, or value, is none.
    package mutating func take(_ name: String, _ value: ArraySlice<UInt8>) {
        switch name {
        case "upload-offset": offset = Self.number(value)
        case "upload-length": length = Self.number(value)
        case "upload-defer-length":
            if value.elementsEqual("1".utf8) { defersLength = true }
        case "upload-complete":
            // A Boolean of structured fields (RFC 9651 §3.3.6).
            if value.elementsEqual("?1".utf8) { isComplete = true }
            if value.elementsEqual("?0".utf8) { isComplete = false }
        case "tus-resumable":
            if !value.isEmpty, value.count <= 16, value.allSatisfy(Self.isVersion) {
                tusVersion = String(decoding: value, as: UTF8.self)
            }
        default: break
        }
    }

    /// At most 18 digits, which no sum of a few overflows.
    private static func number(_ value: ArraySlice<UInt8>) -> Int? {
        guard !value.isEmpty, value.count <= 18 else { return nil }
        var number = 0
        for byte in value {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        return number
    }

    private static func isVersion(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".")
    }
}

extension ResumableFields {
    /// Writes the object `resumable`, if there is anything in it.
    func write(to line: inout JSONLineWriter) {
        guard !isEmpty else { return }
        line.beginObject("resumable")
        line.member("offset", offset)
        line.member("length", length)
        if let isComplete { line.member("complete", isComplete) }
        if let defersLength { line.member("defer_length", defersLength) }
        line.member("tus_version", tusVersion)
        line.endObject()
    }
}
