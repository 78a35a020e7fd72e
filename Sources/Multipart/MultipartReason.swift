public import Wire

/// Everything the parser can say about a multipart body: facts and faults in one closed set.
///
/// A *fact* is an oddity that can be read past; it is reported to the sink. A *fault* is where no
/// reading is possible; it is thrown, and the parser must then be discarded. Only
/// `delimiterTrailingBytes`, `delimiterMissingFirst`, `finalDelimiterMissing` and the three limits
/// on header blocks are faults (and, for a `MultipartBoundary`, what is wrong with it). Which facts
/// matter is policy, decided elsewhere.
///
/// Each reason is reported with the offset of the first offending byte in the body. For the
/// `boundary.` and `content_type.` reasons that is an offset in the field value of the request's
/// Content-Type.
///
/// The raw value is the code that answers, records and metrics carry: never renamed or reused.
public enum MultipartReason: String, FaultReason {
    // MARK: The request's Content-Type; offsets in its value

    /// A multipart type without a boundary; at the end of the value.
    case boundaryMissing = "boundary.missing"
    /// A boundary of no bytes; where its first byte belongs.
    case boundaryEmpty = "boundary.empty"
    /// More bytes than the limit; at the first byte beyond it.
    case boundaryTooLong = "boundary.too_long"
    /// A byte outside `bchars`, or unquoted one that parsers stop at; at that byte.
    case boundaryInvalidCharacter = "boundary.invalid_character"
    /// The last byte is a space; at that byte.
    case boundaryTrailingSpace = "boundary.trailing_space"
    /// Unquoted, with one of `=` `/` `:` `?`, which need quotes; at that byte.
    case boundaryInvalidQuoting = "boundary.invalid_quoting"
    /// A second boundary parameter; at its name.
    case boundaryDuplicateParameter = "boundary.duplicate_parameter"
    /// `boundary*` or `boundary*0`; at its name.
    case boundaryContinuationParameter = "boundary.continuation_parameter"
    /// Another parameter whose name contains "boundary"; at its name.
    case boundaryAmbiguousParameter = "boundary.ambiguous_parameter"
    /// Space around the boundary's "="; at the first space.
    case boundaryParameterWhitespace = "boundary.parameter_whitespace"

    /// The value leaves the grammar; at the first byte that does.
    case contentTypeInvalid = "content_type.invalid"
    /// No semicolon between two parameters; where it belongs.
    case contentTypeMissingSemicolon = "content_type.missing_semicolon"
    /// A charset other than UTF-8 and US-ASCII; at the charset.
    case contentTypeCharset = "content_type.charset"
    /// Another type than multipart/form-data; at the type.
    case contentTypeNotMultipart = "content_type.not_multipart"

    // MARK: Delimiters, and what stands around them

    /// The body ends before any delimiter began; at its end.
    case delimiterMissingFirst = "delimiter.missing_first"
    /// Neither a line end nor "--" after a delimiter; at the first byte that is neither.
    case delimiterTrailingBytes = "delimiter.trailing_bytes"
    /// Space or tab after a delimiter; at the first of them.
    case delimiterPadding = "delimiter.padding"
    /// A delimiter after a bare LF, read as a delimiter; at the LF.
    case delimiterBareLF = "delimiter.bare_lf"
    /// A delimiter after a bare CR, read as a delimiter; at the CR.
    case delimiterBareCR = "delimiter.bare_cr"
    /// The body ends after its first delimiter began and before the close-delimiter; at its end.
    case finalDelimiterMissing = "final_delimiter.missing"
    /// Bytes other than one CRLF before the first delimiter; always at 0.
    case preamblePresent = "preamble.present"
    /// Bytes other than CRLF or CRLF CRLF after the close-delimiter; at the first of them.
    case epiloguePresent = "epilogue.present"
    /// A bare LF ends a delimiter or header line, and is read so; at the LF.
    case lineBareLF = "line.bare_lf"
    /// A bare CR ends a delimiter or header line, and is read so; at the CR.
    case lineBareCR = "line.bare_cr"

    // MARK: Header lines of a part

    /// A header line without a colon, which is skipped; at its line end.
    case partHeaderNoColon = "part_header.no_colon"
    /// A byte of a field name that is not `tchar`, or an empty name; at that byte or the colon.
    case partHeaderBadName = "part_header.bad_name"
    /// Space or tab between name and colon; at the first of them.
    case partHeaderSpaceBeforeColon = "part_header.space_before_colon"
    /// A control byte in a field value; at that byte, once for each line.
    case partHeaderControl = "part_header.control"
    /// A NUL in a header line; at that byte, once for each line.
    case partHeaderNUL = "part_header.nul"
    /// A line that begins with space or tab, read as a continuation; at its first byte.
    case partHeaderFolded = "part_header.folded"
    /// A second Content-Disposition, Content-Type or Content-Transfer-Encoding; at its name.
    case partHeaderDuplicate = "part_header.duplicate"
    /// A header line longer than the limit; at the first byte beyond it.
    case partHeaderLineTooLong = "part_header.line_too_long"
    /// A header block larger than the limit; at the first byte beyond it.
    case partHeaderBlockTooLarge = "part_header.block_too_large"
    /// More header lines than the limit; at the first byte of the first one beyond it.
    case partHeaderTooMany = "part_header.too_many"
    /// A value, other than a name or filename, that is not UTF-8; at the first such byte.
    case partHeaderInvalidUTF8 = "part_header.invalid_utf8"
    /// A Content-Type of a part that leaves its grammar; at the first byte that does.
    case partHeaderBadContentType = "part_header.bad_content_type"

    // MARK: Content-Disposition of a part

    /// A part without Content-Disposition; at the first byte of its header block.
    case dispositionMissing = "disposition.missing"
    /// A disposition type other than form-data; at the type.
    case dispositionNotFormData = "disposition.not_form_data"
    /// No name parameter; at the first byte of the field value.
    case dispositionNameMissing = "disposition.name_missing"
    /// A second name, filename or `filename*`; at its name.
    case dispositionDuplicateParameter = "disposition.duplicate_parameter"
    /// A parameter other than name and filename; at its name.
    case dispositionUnknownParameter = "disposition.unknown_parameter"
    /// The value leaves the grammar; at the first byte that does.
    case dispositionInvalid = "disposition.invalid"
    /// Quotes that parsers read differently: `\"`, unbalanced, glued, or single; at the first byte.
    case dispositionInvalidQuoting = "disposition.invalid_quoting"
    /// No semicolon between two parameters; where it belongs.
    case dispositionMissingSemicolon = "disposition.missing_semicolon"
    /// A semicolon that no parameter follows, as RFC 9110 §5.6.6 allows; at the semicolon.
    case dispositionEmptyParameter = "disposition.empty_parameter"
    /// A name or filename with an encoded-word of RFC 2047; at its "=?".
    case dispositionEncodedWord = "disposition.encoded_word"
    /// A well-formed `filename*` without a `filename`; at its name.
    case dispositionExtendedFilename = "disposition.extended_filename"
    /// A `filename*` that says the same as the `filename` beside it, which is harmless; at its name.
    case dispositionExtendedFilenameEqual = "disposition.extended_filename_equal"
    /// A `filename*` that says something else than the `filename` beside it; at its name.
    case dispositionExtendedFilenameMismatch = "disposition.extended_filename_mismatch"
    /// A malformed `filename*`, or another parameter with `*` in its name; at its name.
    case dispositionExtendedParameter = "disposition.extended_parameter"

    // MARK: Names

    /// A filename with "/" or "\"; at the first of them.
    case filenamePath = "filename.path"
    /// A filename with a control character, C1 included, tab excepted; at the first of them.
    case filenameControl = "filename.control"
    /// A filename with a character that changes the direction of text; at the first of them.
    case filenameBidi = "filename.bidi"
    /// A filename longer than the limit; at the first byte beyond it.
    case filenameTooLong = "filename.too_long"
    /// An empty filename, as of a file input left empty; where its first byte belongs.
    case filenameEmpty = "filename.empty"
    /// A filename that is not UTF-8; at the first such byte.
    case filenameInvalidUTF8 = "filename.invalid_utf8"
    /// A field name longer than the limit; at the first byte beyond it.
    case nameTooLong = "name.too_long"
    /// A field name that is not UTF-8; at the first such byte.
    case nameInvalidUTF8 = "name.invalid_utf8"

    // MARK: Parts as a whole

    /// A delimiter directly after the header block; at its first dash.
    case partBodyless = "part.bodyless"
    /// A Content-Transfer-Encoding that changes the content; at its value.
    case partTransferEncoding = "part.transfer_encoding"
    /// A charset in which US-ASCII bytes mean something else; at the charset.
    case partCharset = "part.charset"
    /// A field named `_charset_`, which sets the charset of the form; at its name.
    case partCharsetField = "part.charset_field"
    /// A part that is itself multipart; at its media type.
    case partNestedMultipart = "part.nested_multipart"
    /// A Content-Length of a part that is not the length of its content; at its value.
    case partContentLengthMismatch = "part.content_length_mismatch"
}
