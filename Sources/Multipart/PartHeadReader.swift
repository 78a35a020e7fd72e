internal import Wire

/// Reads what a complete header block says about its part, and what is odd about that.
struct PartHeadReader {
    // A span borrows what it comes from: whoever takes one and then adds a fact takes it of a local
    // copy of this reference.
    private let block: [UInt8]
    private let headOffset: Int
    private let limits: MultipartLimits

    /// A Content-Type that was read before: parts of one body often have the same.
    private let knownType: String?
    private(set) var facts: [MultipartFact] = []

    private(set) var name: String?
    private(set) var filename: String?
    private(set) var extendedFilename: String?
    private(set) var contentType: String?

    /// The body offset and the number of the part's Content-Length; nil for one that is no number.
    private(set) var declaredLength: (offset: Int, count: Int?)?

    init(
        block: [UInt8],
        fields: [PartHead.Field],
        headOffset: Int,
        limits: MultipartLimits,
        knownType: String?
    ) {
        self.block = block
        self.headOffset = headOffset
        self.limits = limits
        self.knownType = knownType
        read(fields)
        if facts.count > 1 { facts.sort { $0.offset < $1.offset } }
    }

    private mutating func read(_ fields: [PartHead.Field]) {
        let block = block
        var hasDisposition = false
        var hasTransferEncoding = false
        for field in fields {
            let name = block.span.extracting(field.name)
            // The lengths tell them apart, so that most names are compared with none or with one.
            switch name.count {
            case 19 where name.equalsIgnoringCase("content-disposition"):
                if hasDisposition { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if !hasDisposition { readDisposition(field.value) }
                hasDisposition = true
            case 12 where name.equalsIgnoringCase("content-type"):
                if contentType != nil { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if contentType == nil { readContentType(field.value) }
            case 25 where name.equalsIgnoringCase("content-transfer-encoding"):
                if hasTransferEncoding { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if !hasTransferEncoding { readTransferEncoding(field.value) }
                hasTransferEncoding = true
            case 14 where name.equalsIgnoringCase("content-length") && declaredLength == nil:
                declaredLength = (headOffset + field.value.lowerBound, number(in: field.value))
                checkUTF8(field.value)
            default:
                checkUTF8(field.value)
            }
        }
        if !hasDisposition { add(.dispositionMissing, at: 0) }
    }

    private mutating func readDisposition(_ range: Range<Int>) {
        let block = block
        let value = block.span.extracting(range)
        if let plain = PlainDisposition(value, limits: limits) {
            name = value.extracting(plain.name).repairedText
            filename = plain.filename.map { value.extracting($0).repairedText }
            return
        }
        let reader = DispositionReader(value, limits: limits)
        for fact in reader.facts { add(fact.reason, at: range.lowerBound + fact.offset) }
        name = reader.name
        filename = reader.filename
        extendedFilename = reader.extendedFilename
        let isTold = reader.facts.contains {
            $0.reason == .nameInvalidUTF8 || $0.reason == .filenameInvalidUTF8
        }
        // Parameters that nobody asks for are decoded by some parsers all the same.
        if !isTold { checkUTF8(range) }
    }

    private mutating func readContentType(_ range: Range<Int>) {
        let block = block
        let value = block.span.extracting(range)
        contentType = value.text(orOf: knownType)
        if isBareMediaType(value) {
            checkNesting(value, in: range)
            return
        }
        let parameters = Parameters(parsing: value)
        checkUTF8(range)
        let badSyntax = parameters.problems.first { $0.kind != .emptyParameter }
        let type = value.extracting(parameters.value)
        if let offset = badSyntax?.offset ?? (isMediaType(type) ? nil : 0) {
            add(.partHeaderBadContentType, at: range.lowerBound + offset)
        }
        checkNesting(type, in: range)
        for parameter in parameters.list {
            let name = value.extracting(parameter.name)
            guard name.equalsIgnoringCase("charset") else { continue }
            if !Charset.keepsASCII(value.extracting(parameter.value)) {
                add(.partCharset, at: range.lowerBound + parameter.value.lowerBound)
                break
            }
        }
    }

    private mutating func checkNesting(_ type: Span<UInt8>, in range: Range<Int>) {
        if type.count >= 9, type.extracting(..<9).equalsIgnoringCase("multipart") {
            add(.partNestedMultipart, at: range.lowerBound)
        }
    }

    private mutating func readTransferEncoding(_ range: Range<Int>) {
        let block = block
        let value = block.span.extracting(range)
        for identity in ["7bit", "8bit", "binary"] where value.equalsIgnoringCase(identity) {
            return
        }
        add(.partTransferEncoding, at: range.lowerBound)
    }

    private mutating func checkUTF8(_ range: Range<Int>) {
        let block = block
        if let offset = block.span.extracting(range).firstInvalidUTF8 {
            add(.partHeaderInvalidUTF8, at: range.lowerBound + offset)
        }
    }

    private func number(in range: Range<Int>) -> Int? {
        // At most 18 digits, so that no number overflows.
        guard !range.isEmpty, range.count <= 18 else { return nil }
        var number = 0
        for index in range {
            guard ByteClass.digit.contains(block[index]) else { return nil }
            number = number * 10 + Int(block[index] - 0x30)
        }
        return number
    }

    private mutating func add(_ reason: MultipartReason, at index: Int) {
        facts.append(MultipartFact(reason, at: headOffset + index))
    }
}

/// True for `type "/" subtype`, two tokens with nothing around them.
private func isBareMediaType(_ value: Span<UInt8>) -> Bool {
    let slash = ByteClass.token.end(ofRunIn: value, from: 0)
    guard slash > 0, slash < value.count - 1, value[slash] == UInt8(ascii: "/") else {
        return false
    }
    return ByteClass.token.end(ofRunIn: value, from: slash + 1) == value.count
}

extension Span<UInt8> {
    /// The text these bytes are, or `known` where that is the same.
    fileprivate func text(orOf known: String?) -> String {
        if let known, count == known.utf8.count, holds(known, at: 0) { return known }
        return repairedText
    }
}

/// True for `type "/" subtype`.
private func isMediaType(_ bytes: Span<UInt8>) -> Bool {
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
        guard index > 0, index < bytes.count - 1 else { return false }
        slashes += 1
    }
    return slashes == 1
}
