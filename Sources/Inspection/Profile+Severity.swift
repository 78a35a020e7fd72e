internal import Multipart

extension Profile {
    /// How much a fact about a multipart body matters under this profile.
    ///
    /// Both profiles block what two parsers would read as different parts, and what no sender of
    /// today sends. They differ where real senders are known and every parser that accepts the
    /// bytes reads the same parts out of them.
    func severity(of reason: MultipartReason) -> Severity {
        switch reason {
        case .boundaryMissing, .boundaryEmpty, .boundaryTooLong, .boundaryInvalidCharacter,
            .boundaryTrailingSpace, .boundaryDuplicateParameter, .boundaryContinuationParameter,
            .boundaryAmbiguousParameter, .boundaryParameterWhitespace, .contentTypeInvalid,
            .contentTypeMissingSemicolon, .contentTypeCharset:
            .block
        case .delimiterMissingFirst, .delimiterTrailingBytes, .delimiterPadding, .delimiterBareLF,
            .delimiterBareCR, .finalDelimiterMissing, .preamblePresent, .epiloguePresent,
            .lineBareLF, .lineBareCR:
            .block
        case .partHeaderNoColon, .partHeaderBadName, .partHeaderSpaceBeforeColon,
            .partHeaderControl, .partHeaderNUL, .partHeaderFolded, .partHeaderDuplicate,
            .partHeaderLineTooLong, .partHeaderBlockTooLarge, .partHeaderTooMany,
            .partHeaderBadContentType:
            .block
        case .dispositionMissing, .dispositionNotFormData, .dispositionNameMissing,
            .dispositionDuplicateParameter, .dispositionInvalid, .dispositionInvalidQuoting,
            .dispositionMissingSemicolon,
            .dispositionEncodedWord, .dispositionExtendedFilename,
            .dispositionExtendedFilenameMismatch, .dispositionExtendedParameter:
            .block
        case .filenameTooLong, .nameTooLong, .partBodyless, .partTransferEncoding, .partCharset,
            .partNestedMultipart:
            .block
        case .boundaryInvalidQuoting, .filenameInvalidUTF8,
            .nameInvalidUTF8, .partHeaderInvalidUTF8, .filenameControl, .filenameBidi:
            blocksOnlyIfStrict
        case .filenamePath, .partContentLengthMismatch, .partCharsetField,
            .dispositionUnknownParameter:
            .notice
        case .dispositionEmptyParameter:
            // No part is read differently, but two parsers leave it out.
            self == .strict ? .warn : .notice
        case .contentTypeNotMultipart, .dispositionExtendedFilenameEqual, .filenameEmpty:
            .info
        }
    }

    private var blocksOnlyIfStrict: Severity {
        switch self {
        case .strict: .block
        case .balanced: .warn
        }
    }
}
