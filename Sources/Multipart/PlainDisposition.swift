internal import Wire

/// A Content-Disposition as nearly all senders write it, read in one step.
///
///     plain = "form-data; name=" text [ "; filename=" text ]
///     text  = DQUOTE *plain-char DQUOTE
///
/// It is a shorter way to what `DispositionReader` finds in the same bytes: a name, a filename, and
/// nothing odd. So a character that could be part of anything odd is not plain: what is not
/// printable US-ASCII, `"`, `\`, `/`, and the `?` of an encoded-word.
struct PlainDisposition {
    let name: Range<Int>
    let filename: Range<Int>?

    /// Nil where it takes a closer look.
    init?(_ value: Span<UInt8>, limits: MultipartLimits) {
        guard value.holds(Self.beforeName, at: 0) else { return nil }
        let start = Self.beforeName.utf8.count
        let end = Self.plain.end(ofRunIn: value, from: start)
        guard end < value.count, value[end] == ASCII.quote, end - start <= limits.nameBytes,
            !value.extracting(start..<end).equalsIgnoringCase("_charset_")
        else { return nil }
        name = start..<end
        guard end + 1 < value.count else {
            filename = nil
            return
        }
        guard value.holds(Self.beforeFilename, at: end + 1) else { return nil }
        let fileStart = end + 1 + Self.beforeFilename.utf8.count
        let fileEnd = Self.plain.end(ofRunIn: value, from: fileStart)
        guard fileEnd == value.count - 1, value[fileEnd] == ASCII.quote, fileEnd > fileStart,
            fileEnd - fileStart <= limits.filenameBytes
        else { return nil }
        filename = fileStart..<fileEnd
    }

    private static var beforeName: String { "form-data; name=\"" }
    private static var beforeFilename: String { "; filename=\"" }

    /// Printable US-ASCII without `"`, `/`, `?` and `\`.
    private static var plain: ByteClass {
        ByteClass(low: 0x7FFF_7FFB_0000_0000, high: 0x7FFF_FFFF_EFFF_FFFF)
    }
}
