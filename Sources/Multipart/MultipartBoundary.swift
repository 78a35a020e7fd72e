public import Wire

/// A boundary, and the delimiter that is made of it.
///
///     boundary  = 0*69bchars bcharsnospace
///     delimiter = CRLF "--" boundary               (RFC 2046 §5.1.1)
///
/// The parser rests on one fact: a delimiter begins with CR LF, and no other byte of it is CR or
/// LF, because no `bchar` is. So bytes that may begin a delimiter are known by their count alone,
/// and a mismatch can only be followed by a new beginning, never by a shorter one.
public struct MultipartBoundary: Equatable, Sendable {
    /// CR LF "--" boundary.
    let delimiter: [UInt8]

    /// Checks `bytes`, the boundary parameter without its quotes.
    ///
    /// - Throws: A `boundary.` fault, with an offset in `bytes`.
    public init(_ bytes: Span<UInt8>, limit: Int = MultipartLimits().boundaryBytes)
        throws(MultipartFault)
    {
        guard !bytes.isEmpty else { throw MultipartFault(.boundaryEmpty, at: 0) }
        var delimiter = [ASCII.CR, ASCII.LF, ASCII.dash, ASCII.dash]
        for index in bytes.indices {
            guard index < limit else { throw MultipartFault(.boundaryTooLong, at: index) }
            guard ByteClass.boundary.contains(bytes[index]) else {
                throw MultipartFault(.boundaryInvalidCharacter, at: index)
            }
            delimiter.append(bytes[index])
        }
        guard bytes[bytes.count - 1] != ASCII.SP else {
            throw MultipartFault(.boundaryTrailingSpace, at: bytes.count - 1)
        }
        self.delimiter = delimiter
    }

    /// Checks `text`, a boundary without quotes.
    ///
    /// - Throws: A `boundary.` fault, with an offset in the UTF-8 of `text`.
    public init(_ text: String) throws(MultipartFault) {
        let bytes = Array(text.utf8)
        try self.init(bytes.span)
    }

    /// How many bytes "--" boundary has.
    var dashBoundaryCount: Int { delimiter.count - 2 }
}

extension MultipartBoundary: CustomStringConvertible {
    public var description: String { delimiter.span.extracting(4...).repairedText }
}
