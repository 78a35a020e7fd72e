extension MultipartReason {
    public var explanation: String {
        switch self {
        case .boundaryMissing: "The Content-Type is multipart but has no boundary parameter."
        case .boundaryEmpty: "The boundary is empty; it must have at least one character."
        case .boundaryTooLong: "The boundary is longer than the limit."
        case .boundaryInvalidCharacter:
            "The boundary has a character that is not allowed there, or only inside quotes."
        case .boundaryTrailingSpace: "The boundary ends in a space; its last byte must not be one."
        case .boundaryInvalidQuoting:
            "The boundary has a character that is only allowed inside quotes, but has no quotes."
        case .boundaryDuplicateParameter: "The Content-Type has more than one boundary."
        case .boundaryContinuationParameter:
            "The boundary is given in extended form (boundary*), which parsers read differently."
        case .boundaryAmbiguousParameter:
            "A parameter other than boundary has the word boundary in its name."
        case .boundaryParameterWhitespace: "There is space around the equals sign of the boundary."
        case .contentTypeInvalid: "The Content-Type is not a media type with parameters."
        case .contentTypeMissingSemicolon:
            "The Content-Type lacks a semicolon between two of its parameters."
        case .contentTypeCharset:
            "The Content-Type declares a charset other than UTF-8 or US-ASCII."
        case .contentTypeNotMultipart: "The media type is not multipart/form-data."
        case .delimiterMissingFirst: "The body ended without any delimiter."
        case .delimiterTrailingBytes:
            "A delimiter is followed by other bytes than CRLF or two dashes."
        case .delimiterPadding: "A delimiter is followed by spaces or tabs."
        case .delimiterBareLF: "A delimiter begins after a bare LF instead of CRLF."
        case .delimiterBareCR: "A delimiter begins after a bare CR instead of CRLF."
        case .finalDelimiterMissing: "The body ended before its close-delimiter."
        case .preamblePresent: "There are bytes before the first delimiter."
        case .epiloguePresent: "There are bytes after the close-delimiter."
        case .lineBareLF: "A line ends with a bare LF instead of CRLF."
        case .lineBareCR: "A line ends with a bare CR instead of CRLF."
        case .partHeaderNoColon: "A header line of a part has no colon."
        case .partHeaderBadName:
            "A header name of a part is empty or has a character outside token."
        case .partHeaderSpaceBeforeColon: "A header name of a part has space before its colon."
        case .partHeaderControl: "A header value of a part has a control character."
        case .partHeaderNUL: "A header line of a part has a NUL byte."
        case .partHeaderFolded: "A header of a part is folded over more than one line."
        case .partHeaderDuplicate: "A part has the same header twice."
        case .partHeaderLineTooLong: "A header line of a part is longer than the limit."
        case .partHeaderBlockTooLarge: "The header block of a part is larger than the limit."
        case .partHeaderTooMany: "A part has more header lines than the limit."
        case .partHeaderInvalidUTF8: "A header value of a part is not UTF-8."
        case .partHeaderBadContentType:
            "The Content-Type of a part is not a media type with parameters."
        case .dispositionMissing: "A part has no Content-Disposition."
        case .dispositionNotFormData: "The Content-Disposition of a part is not form-data."
        case .dispositionNameMissing: "The Content-Disposition of a part has no name."
        case .dispositionDuplicateParameter:
            "The Content-Disposition of a part has the same parameter twice."
        case .dispositionUnknownParameter:
            "The Content-Disposition of a part has a parameter other than name and filename."
        case .dispositionInvalid:
            "The Content-Disposition of a part is not a type with parameters."
        case .dispositionInvalidQuoting:
            "The Content-Disposition of a part has quotes that parsers read differently."
        case .dispositionMissingSemicolon:
            "The Content-Disposition of a part lacks a semicolon between two parameters."
        case .dispositionEmptyParameter:
            "The Content-Disposition of a part has a semicolon that no parameter follows."
        case .dispositionEncodedWord: "A name or filename is an encoded-word, meant for mail."
        case .dispositionExtendedFilename: "A part has filename* but no filename beside it."
        case .dispositionExtendedFilenameEqual: "A part has filename* beside an equal filename."
        case .dispositionExtendedFilenameMismatch:
            "The filename and the filename* of a part differ."
        case .dispositionExtendedParameter:
            "A part has an extended parameter that is malformed or not allowed in form data."
        case .filenamePath: "A filename has a path separator; only the last component is a name."
        case .filenameControl: "A filename has a control character."
        case .filenameBidi: "A filename has a character that changes the direction of text."
        case .filenameTooLong: "A filename is longer than the limit."
        case .filenameEmpty: "A filename is empty."
        case .filenameInvalidUTF8: "A filename is not UTF-8."
        case .nameTooLong: "A field name is longer than the limit."
        case .nameInvalidUTF8: "A field name is not UTF-8."
        case .partBodyless: "A delimiter follows directly after the headers of a part."
        case .partTransferEncoding:
            "A part has a Content-Transfer-Encoding other than 7bit, 8bit or binary."
        case .partCharset:
            "A part declares a charset in which ASCII bytes mean something else."
        case .partCharsetField: "A field named _charset_ sets the charset of the form."
        case .partNestedMultipart: "A part is itself multipart."
        case .partContentLengthMismatch:
            "The Content-Length of a part is not the length of its content."
        }
    }

    public var reference: String {
        switch self {
        case .boundaryMissing, .boundaryEmpty, .boundaryTooLong, .boundaryInvalidCharacter,
            .boundaryTrailingSpace, .boundaryInvalidQuoting, .boundaryDuplicateParameter,
            .boundaryAmbiguousParameter, .boundaryParameterWhitespace, .delimiterMissingFirst,
            .delimiterTrailingBytes, .delimiterPadding, .delimiterBareLF, .delimiterBareCR,
            .finalDelimiterMissing, .preamblePresent, .epiloguePresent, .lineBareLF, .lineBareCR,
            .partBodyless:
            "RFC 2046 section 5.1.1"
        case .boundaryContinuationParameter: "RFC 2231 section 3"
        case .contentTypeInvalid, .contentTypeMissingSemicolon, .partHeaderBadContentType:
            "RFC 9110 section 8.3.1"
        case .contentTypeCharset, .contentTypeNotMultipart: "RFC 7578 section 4.1"
        case .partHeaderNoColon, .partHeaderBadName, .partHeaderControl, .partHeaderNUL,
            .partHeaderFolded, .partHeaderSpaceBeforeColon:
            "RFC 5322 section 2.2"
        case .partHeaderDuplicate: "RFC 5322 section 3.6"
        case .partHeaderLineTooLong: "limits.partHeaderLineBytes"
        case .partHeaderBlockTooLarge: "limits.partHeaderBytes"
        case .partHeaderTooMany: "limits.partHeaderFields"
        case .filenameTooLong: "limits.filenameBytes"
        case .nameTooLong: "limits.nameBytes"
        case .dispositionMissing, .dispositionNotFormData, .dispositionNameMissing,
            .dispositionUnknownParameter, .dispositionEncodedWord, .dispositionExtendedFilename,
            .dispositionExtendedFilenameEqual, .dispositionExtendedFilenameMismatch,
            .dispositionExtendedParameter, .filenameEmpty:
            "RFC 7578 section 4.2"
        case .dispositionDuplicateParameter, .dispositionInvalid, .dispositionInvalidQuoting,
            .dispositionMissingSemicolon:
            "RFC 6266 section 4.1"
        case .dispositionEmptyParameter: "RFC 9110 section 5.6.6"
        case .filenamePath, .filenameControl, .filenameBidi: "RFC 7578 section 7"
        case .partHeaderInvalidUTF8, .filenameInvalidUTF8, .nameInvalidUTF8, .partCharset:
            "RFC 7578 section 5.1"
        case .partTransferEncoding: "RFC 7578 section 4.7"
        case .partCharsetField: "RFC 7578 section 4.6"
        case .partNestedMultipart: "RFC 7578 section 4.3"
        case .partContentLengthMismatch: "RFC 7578 section 4.8"
        }
    }
}
