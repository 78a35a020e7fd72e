internal import Wire

/// Reads the value of a part's Content-Disposition.
///
///     disposition = "form-data" *( OWS ";" OWS parameter )
///     parameter   = ( "name" / "filename" ) "=" ( token / quoted-string )     (RFC 7578 §4.2)
///
/// The first of a repeated parameter is given. `filename*` is not allowed in form data, but every
/// .NET client sends one beside an equal `filename`: that pair has a reason of its own.
struct DispositionReader {
    /// What is odd, with offsets in the value; each reason at most once.
    private(set) var facts: [MultipartFact] = []

    private(set) var name: String?
    private(set) var filename: String?
    private(set) var extendedFilename: String?

    init(_ value: Span<UInt8>, limits: MultipartLimits) {
        let parameters = Parameters(parsing: value)
        if !value.extracting(parameters.value).equalsIgnoringCase("form-data") {
            add(.dispositionNotFormData, at: 0)
        }
        readSyntax(parameters.problems)
        let found = readNames(parameters, in: value)
        if let parameter = found.name {
            readName(parameter, in: value, limits: limits)
        } else {
            add(.dispositionNameMissing, at: 0)
        }
        if let parameter = found.filename {
            readFilename(parameter, in: value, limits: limits)
        }
        if let parameter = found.extended {
            readExtended(parameter, beside: found.filename, in: value, limits: limits)
        } else if let filename = found.filename {
            checkEncodedWord(filename.value, in: value)
        }
    }

    private mutating func readSyntax(_ problems: [ParameterProblem]) {
        for problem in problems {
            switch problem.kind {
            case .emptyParameter: add(.dispositionEmptyParameter, at: problem.offset)
            case .missingSemicolon: add(.dispositionMissingSemicolon, at: problem.offset)
            case .unterminatedQuote, .escapedQuote, .bytesAfterQuote:
                add(.dispositionInvalidQuoting, at: problem.offset)
            case .leadingValueByte, .nameByte, .missingEquals, .spaceAroundEquals, .emptyValue,
                .valueByte:
                add(.dispositionInvalid, at: problem.offset)
            }
        }
    }

    /// The first parameter of each name.
    private struct Found {
        var name: Parameters.Parameter?
        var filename: Parameters.Parameter?
        var extended: Parameters.Parameter?
    }

    private mutating func readNames(_ parameters: Parameters, in value: Span<UInt8>) -> Found {
        var found = Found()
        for parameter in parameters.list {
            let name = value.extracting(parameter.name)
            let isRepeated: Bool
            if name.equalsIgnoringCase("name") {
                isRepeated = found.name != nil
                if !isRepeated { found.name = parameter }
            } else if name.equalsIgnoringCase("filename") {
                isRepeated = found.filename != nil
                if !isRepeated { found.filename = parameter }
            } else if name.equalsIgnoringCase("filename*") {
                isRepeated = found.extended != nil
                if !isRepeated { found.extended = parameter }
            } else {
                isRepeated = false
                let hasStar = name.indices.contains { name[$0] == UInt8(ascii: "*") }
                add(
                    hasStar ? .dispositionExtendedParameter : .dispositionUnknownParameter,
                    at: parameter.name.lowerBound
                )
            }
            if isRepeated { add(.dispositionDuplicateParameter, at: parameter.name.lowerBound) }
            if !parameter.isQuoted, value.extracting(parameter.value).beginsWithApostrophe,
                !name.equalsIgnoringCase("filename*")
            {
                add(.dispositionInvalidQuoting, at: parameter.value.lowerBound)
            }
        }
        return found
    }

    private mutating func readName(
        _ parameter: Parameters.Parameter,
        in value: Span<UInt8>,
        limits: MultipartLimits
    ) {
        let range = parameter.value
        let bytes = value.extracting(range)
        name = bytes.repairedText
        if let offset = bytes.firstInvalidUTF8 {
            add(.nameInvalidUTF8, at: range.lowerBound + offset)
        }
        if range.count > limits.nameBytes {
            add(.nameTooLong, at: range.lowerBound + limits.nameBytes)
        }
        checkEncodedWord(range, in: value)
        if bytes.equalsIgnoringCase("_charset_") {
            add(.partCharsetField, at: range.lowerBound)
        }
    }

    private mutating func readFilename(
        _ parameter: Parameters.Parameter,
        in value: Span<UInt8>,
        limits: MultipartLimits
    ) {
        let range = parameter.value
        let bytes = value.extracting(range)
        filename = bytes.repairedText
        if let offset = bytes.firstInvalidUTF8 {
            add(.filenameInvalidUTF8, at: range.lowerBound + offset)
        }
        if range.isEmpty { add(.filenameEmpty, at: range.lowerBound) }
        if range.count > limits.filenameBytes {
            add(.filenameTooLong, at: range.lowerBound + limits.filenameBytes)
        }
        for oddity in FilenameOddities(bytes).facts {
            add(oddity.reason, at: range.lowerBound + oddity.offset)
        }
    }

    private mutating func readExtended(
        _ parameter: Parameters.Parameter,
        beside filename: Parameters.Parameter?,
        in value: Span<UInt8>,
        limits: MultipartLimits
    ) {
        guard !parameter.isQuoted,
            let decoded = ExtendedValue.decode(value.extracting(parameter.value))
        else {
            add(.dispositionExtendedParameter, at: parameter.name.lowerBound)
            return
        }
        extendedFilename = decoded.span.repairedText
        if parameter.value.count > limits.filenameBytes {
            add(.filenameTooLong, at: parameter.value.lowerBound + limits.filenameBytes)
        }
        let isEqual = filename.map { hasSameText($0, decoded, in: value) }
        switch isEqual {
        case true?: add(.dispositionExtendedFilenameEqual, at: parameter.name.lowerBound)
        case false?: add(.dispositionExtendedFilenameMismatch, at: parameter.name.lowerBound)
        case nil: add(.dispositionExtendedFilename, at: parameter.name.lowerBound)
        }
        // Percent-encoding leaves no place in the value for a character of the decoded name.
        for oddity in FilenameOddities(decoded.span).facts {
            add(oddity.reason, at: parameter.value.lowerBound)
        }
    }

    /// True if both forms say the same: literally, or as .NET does with an encoded-word.
    private func hasSameText(
        _ filename: Parameters.Parameter,
        _ decoded: [UInt8],
        in value: Span<UInt8>
    ) -> Bool {
        let plain = value.extracting(filename.value)
        if EncodedWord.firstIndex(in: plain) != nil { return EncodedWord.decode(plain) == decoded }
        return plain.hasSameBytes(as: decoded.span)
    }

    private mutating func checkEncodedWord(_ range: Range<Int>, in value: Span<UInt8>) {
        if let index = EncodedWord.firstIndex(in: value.extracting(range)) {
            add(.dispositionEncodedWord, at: range.lowerBound + index)
        }
    }

    private mutating func add(_ reason: MultipartReason, at offset: Int) {
        if facts.contains(where: { $0.reason == reason }) { return }
        facts.append(MultipartFact(reason, at: offset))
    }
}

extension Span<UInt8> {
    fileprivate var beginsWithApostrophe: Bool { count > 0 && self[0] == UInt8(ascii: "'") }

    fileprivate func hasSameBytes(as other: Span<UInt8>) -> Bool {
        count == other.count && indices.allSatisfy { self[$0] == other[$0] }
    }
}
