internal import Multipart

/// One form, held against a contract as its parts come.
///
/// A browser sends a file input that was left empty as a part with an empty filename and no
/// content. Such a part is no file: it has no type and no extension that could be wrong, and it
/// does not give what is required. But it has to stay empty: the first byte of content brings back
/// what was held against its head.
struct ContractCourse: Sendable {
    private let contract: UploadContract

    /// How many parts each field has had, and whether one of them gave something.
    private var counts: [Int]
    private var isGiven: [Bool]

    /// The rule for the open part, by its place in the contract.
    private var openRule: Int?

    /// The open part has an empty filename.
    private var mayBeUnchosen = false

    /// What stands against the open part if it has any content.
    private(set) var objectionsToContent: [PolicyReason] = []

    /// Where the last part has ended: where the close-delimiter begins, in the end.
    private(set) var lastEnd = 0

    init(_ contract: UploadContract) {
        self.contract = contract
        counts = Array(repeating: 0, count: contract.fields.count)
        isGiven = Array(repeating: false, count: contract.fields.count)
    }

    /// Gate G2: all that the contract has against a part with this header block.
    ///
    /// The operator may have made the first of it harmless, but not the others.
    mutating func partBegins(_ head: PartHead) -> [PolicyReason] {
        openRule = head.name.flatMap(contract.index)
        objectionsToContent = []
        mayBeUnchosen = false
        guard let index = openRule else {
            return contract.allowsUnknownFields ? [] : [.contractUnexpectedField]
        }
        let rule = contract.fields[index]
        counts[index] += 1  // bounded by the limit on parts, and by the body's length
        var objections: [PolicyReason] = []
        let isRightKind = head.isFile == (rule.kind == .file)
        if !isRightKind { objections.append(.contractWrongKind) }
        if let most = rule.maximumCount, counts[index] > most {
            objections.append(.contractTooMany)
        }
        let filenames = [head.filename, head.extendedFilename].compactMap { $0 }
        let declared = rule.objections(filenames: filenames, contentType: head.contentType)
        mayBeUnchosen = isRightKind && rule.kind == .file && filenames.allSatisfy(\.isEmpty)
        guard mayBeUnchosen else { return objections + declared }
        objectionsToContent = declared
        return objections
    }

    /// Largest content of the open part; nil is unlimited.
    var maximumBytes: Int? { openRule.flatMap { contract.fields[$0].maximumBytes } }

    /// True if what the open part begins like decides about it.
    var wantsType: Bool { openRule.map { !contract.fields[$0].sniffedTypes.isEmpty } ?? false }

    /// True if the open part may be of the type it begins like; nil is the type of no content.
    ///
    /// What is two things at once has to be let in as both.
    func accepts(_ types: SniffedTypes?) -> Bool {
        guard let openRule, types != nil || !mayBeUnchosen else { return true }
        let set = contract.fields[openRule].sniffedTypes
        guard let types, types.isPolyglot else {
            return MediaTypeSet.accepts(set, types?.mediaType)
        }
        return types.all.allSatisfy { MediaTypeSet.accepts(set, $0) }
    }

    /// Gate G4: what the contract has against the open part, now that it is complete.
    mutating func partEnds(_ part: PartReport) -> PolicyReason? {
        lastEnd = part.endOffset
        guard let index = openRule else { return nil }
        openRule = nil
        if mayBeUnchosen, part.size == 0 { return nil }
        isGiven[index] = true
        return part.size < contract.fields[index].minimumBytes ? .contractTooSmall : nil
    }

    /// Gate G5: the names of what is required and has not come.
    var missing: [String] {
        contract.fields.indices.filter { contract.fields[$0].isRequired && !isGiven[$0] }
            .map { contract.fields[$0].name }
    }
}
