internal import Wire

/// Reads what a complete header block says about its part, and what is odd about that.
struct PartHeadReader {
    // A span borrows what it comes from: whoever takes one and then adds a fact takes it of a local
    // copy of this reference.
    private let block: [UInt8]
    private let headOffset: Int
    private let limits: MultipartLimits
    private(set) var facts: [MultipartFact] = []

    private(set) var name: String?
    private(set) var filename: String?
    private(set) var extendedFilename: String?
    private(set) var contentType: String?

    /// The body offset and the number of the part's Content-Length; nil for one that is no number.
    private(set) var declaredLength: (offset: Int, count: Int?)?

    init(block: [UInt8], fields: [PartHead.Field], headOffset: Int, limits: MultipartLimits) {
        self.block = block
        self.headOffset = headOffset
        self.limits = limits
        read(fields)
        if facts.count > 1 { facts.sort { $0.offset < $1.offset } }
    }

    private mutating func read(_ fields: [PartHead.Field]) {
        let block = block
        var hasDisposition = false
        var hasTransferEncoding = false
        for field in fields {
            let name = block.span.extracting(field.name)
            if name.equalsIgnoringCase("content-disposition") {
                if hasDisposition { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if !hasDisposition { readDisposition(field.value) }
                hasDisposition = true
            } else if name.equalsIgnoringCase("content-type") {
                if contentType != nil { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if contentType == nil { readContentType(field.value) }
            } else if name.equalsIgnoringCase("content-transfer-encoding") {
                if hasTransferEncoding { add(.partHeaderDuplicate, at: field.name.lowerBound) }
                if !hasTransferEncoding { readTransferEncoding(field.value) }
                hasTransferEncoding = true
            } else {
                if name.equalsIgnoringCase("content-length"), declaredLength == nil {
                    declaredLength = (headOffset + field.value.lowerBound, number(in: field.value))
                }
                checkUTF8(field.value)
            }
        }
        if !hasDisposition { add(.dispositionMissing, at: 0) }
    }

    private mutating func readDisposition(_ range: Range<Int>) {
        let block = block
        let reader = DispositionReader(block.span.extracting(range), limits: limits)
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
        let parameters = Parameters(parsing: value)
        contentType = value.repairedText
        checkUTF8(range)
        let badSyntax = parameters.problems.first { $0.kind != .emptyParameter }
        let type = value.extracting(parameters.value)
        if let offset = badSyntax?.offset ?? (isMediaType(type) ? nil : 0) {
            add(.partHeaderBadContentType, at: range.lowerBound + offset)
        }
        if type.count >= 9, type.extracting(..<9).equalsIgnoringCase("multipart") {
            add(.partNestedMultipart, at: range.lowerBound)
        }
        for parameter in parameters.list {
            let name = value.extracting(parameter.name)
            guard name.equalsIgnoringCase("charset") else { continue }
            if !Charset.keepsASCII(value.extracting(parameter.value)) {
                add(.partCharset, at: range.lowerBound + parameter.value.lowerBound)
                break
            }
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

/// True for `type "/" subtype`.
private func isMediaType(_ bytes: Span<UInt8>) -> Bool {
    var slashes = 0
    for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
        guard index > 0, index < bytes.count - 1 else { return false }
        slashes += 1
    }
    return slashes == 1
}
