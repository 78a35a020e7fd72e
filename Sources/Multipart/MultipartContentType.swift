internal import Wire

/// The Content-Type of a request, read for its boundary.
///
///     media-type = type "/" subtype parameters      (RFC 9110 §8.3.1)
///
/// Reading never fails. What is wrong or odd is listed, and the boundary is nil where the parameter
/// is missing or no boundary at all; where two parsers might find two different ones, the first is
/// given and a problem says so.
public struct MultipartContentType: Sendable {
    /// Type and subtype in lower case, up to the first byte that does not belong there.
    public let mediaType: String

    public let boundary: MultipartBoundary?

    /// The `charset` parameter as sent, or nil.
    public let charset: String?

    /// What is wrong or odd, by ascending offset in the value.
    public let problems: [MultipartFact]

    /// True for multipart/form-data, and for whatever else somebody might read as multipart.
    public var isMultipart: Bool { mediaType.hasPrefix("multipart") }

    /// Reads the value of a Content-Type field.
    public init(
        parsing value: Span<UInt8>,
        boundaryLimit: Int = MultipartLimits().boundaryBytes
    ) {
        let parameters = Parameters(parsing: value)
        var reader = Reader()
        mediaType = reader.readMediaType(parameters, in: value)
        let isMultipart = mediaType.hasPrefix("multipart")
        if isMultipart { reader.readNames(parameters, in: value) }
        reader.readSyntax(parameters, in: value)
        charset = reader.readCharset(parameters, in: value)
        boundary = reader.readBoundary(
            parameters,
            in: value,
            limit: boundaryLimit,
            isRequired: isMultipart
        )
        problems = reader.problems.sorted { $0.offset < $1.offset }
    }
}

/// Collects the problems, one question at a time.
private struct Reader {
    var problems: [MultipartFact] = []

    mutating func readMediaType(_ parameters: Parameters, in value: Span<UInt8>) -> String {
        var bytes: [UInt8] = []
        var slashes = 0
        for index in parameters.value {
            let byte = value[index]
            guard byte == UInt8(ascii: "/") || ByteClass.token.contains(byte) else { break }
            if byte == UInt8(ascii: "/") { slashes += 1 }
            bytes.append(ASCII.lowercased(byte))
        }
        let isComplete = bytes.first != UInt8(ascii: "/") && bytes.last != UInt8(ascii: "/")
        if slashes != 1 || !isComplete {
            add(.contentTypeInvalid, at: parameters.value.lowerBound)
        }
        let mediaType = String(decoding: bytes, as: UTF8.self)
        if mediaType != "multipart/form-data" {
            add(.contentTypeNotMultipart, at: parameters.value.lowerBound)
        }
        return mediaType
    }

    /// Parameters that are, or look like, a boundary.
    mutating func readNames(_ parameters: Parameters, in value: Span<UInt8>) {
        var boundaries = 0
        for parameter in parameters.list {
            let name = value.extracting(parameter.name)
            if name.equalsIgnoringCase("boundary") {
                boundaries += 1
                if boundaries == 2 {
                    add(.boundaryDuplicateParameter, at: parameter.name.lowerBound)
                }
            } else if let found = index(of: "boundary", in: name) {
                let isExtended = found == 0 && name[8] == UInt8(ascii: "*")
                add(
                    isExtended ? .boundaryContinuationParameter : .boundaryAmbiguousParameter,
                    at: parameter.name.lowerBound
                )
            }
        }
    }

    mutating func readSyntax(_ parameters: Parameters, in value: Span<UInt8>) {
        for problem in parameters.problems {
            let isBoundary = concernsBoundary(parameters, number: problem.parameter, in: value)
            switch problem.kind {
            case .missingSemicolon: add(.contentTypeMissingSemicolon, at: problem.offset)
            case .spaceAroundEquals where isBoundary:
                add(.boundaryParameterWhitespace, at: problem.offset)
            case .emptyValue where isBoundary, .valueByte where isBoundary, .emptyParameter: break
            case .leadingValueByte, .nameByte, .missingEquals, .spaceAroundEquals, .emptyValue,
                .valueByte, .unterminatedQuote, .escapedQuote, .bytesAfterQuote:
                add(.contentTypeInvalid, at: problem.offset)
            }
        }
    }

    mutating func readCharset(_ parameters: Parameters, in value: Span<UInt8>) -> String? {
        guard
            let parameter = parameters.list.first(where: {
                value.extracting($0.name).equalsIgnoringCase("charset")
            })
        else { return nil }
        let charset = value.extracting(parameter.value)
        if !["utf-8", "utf8", "us-ascii"].contains(where: { charset.equalsIgnoringCase($0) }) {
            add(.contentTypeCharset, at: parameter.value.lowerBound)
        }
        return charset.repairedText
    }

    mutating func readBoundary(
        _ parameters: Parameters,
        in value: Span<UInt8>,
        limit: Int,
        isRequired: Bool
    ) -> MultipartBoundary? {
        guard
            let parameter = parameters.list.first(where: {
                value.extracting($0.name).equalsIgnoringCase("boundary")
            })
        else {
            if isRequired { add(.boundaryMissing, at: value.count) }
            return nil
        }
        if !parameter.isQuoted, let byte = firstNonToken(of: parameter.value, in: value) {
            // Whoever reads these four at all reads them as part of the boundary; at any other
            // one some parser stops, or takes it for a comment.
            let isReadAlike = "=/:?".utf8.contains(value[byte])
            add(isReadAlike ? .boundaryInvalidQuoting : .boundaryInvalidCharacter, at: byte)
        }
        do {
            return try MultipartBoundary(value.extracting(parameter.value), limit: limit)
        } catch {
            let problem = MultipartFact(error.reason, at: parameter.value.lowerBound + error.offset)
            if !problems.contains(problem) { problems.append(problem) }
            return nil
        }
    }

    private func concernsBoundary(_ parameters: Parameters, number: Int?, in value: Span<UInt8>)
        -> Bool
    {
        guard let number, number < parameters.list.count else { return false }
        return value.extracting(parameters.list[number].name).equalsIgnoringCase("boundary")
    }

    private func firstNonToken(of range: Range<Int>, in value: Span<UInt8>) -> Int? {
        range.first { !ByteClass.token.contains(value[$0]) }
    }

    private mutating func add(_ reason: MultipartReason, at offset: Int) {
        problems.append(MultipartFact(reason, at: offset))
    }
}

/// Where `word`, in lower case, begins in `bytes`, in any case, with at least one byte around it.
private func index(of word: String, in bytes: Span<UInt8>) -> Int? {
    let count = word.utf8.count
    guard bytes.count > count else { return nil }
    return (0...bytes.count - count).first {
        bytes.extracting($0..<$0 + count).equalsIgnoringCase(word)
    }
}
