internal import Digest
internal import Multipart

/// Keeps the books of one body while it is parsed: the open part and its digest, the parts that
/// have closed, the findings, and the limits that count them.
///
/// It is the parser's sink, so it is called once a run of content, never once a byte.
struct PartLedger: Sendable, MultipartSink {
    let shared: SharedPolicy

    var limits: InspectionLimits { shared.limits }

    var policy: InspectionPolicy { shared.policy }

    /// Whether the books go on after a finding that blocks: to tell all, or in observe mode.
    private let continuesAfterBlock: Bool

    /// False for a multipart body of another type than form-data: only forms have fields.
    var isForm = true

    private(set) var openPart: PartReport?
    private var openPartStart: UInt64 = 0

    /// The body of the open part, if that is multipart itself and is looked into.
    var nested: [NestedBody] = []

    /// The parts within the open part that are open, outermost first.
    var nestedParts: [PartReport] = []

    /// Parts within the open part that are open, but begun after the books had stopped.
    var uncountedParts = 0

    /// A header block within the open part is being read.
    var hasNestedHead = false

    /// Where the header block that is being read began.
    private var pendingHead: Int?
    var digests: DigestSet

    /// True if the policy refuses some files by what they begin like.
    private let refusesTypes: Bool

    /// Most bytes that are read at a time of a part within which parts are looked for: it bounds
    /// what can happen at a time, and what is read again.
    private static let nestedPiece = 4 << 10

    /// How the open file begins, and whether that has been judged.
    private var sniff = SniffBuffer()
    private var isSniffed = true

    /// The form so far, as the contract sees it; nil where there is none.
    private(set) var course: ContractCourse?

    /// What the open part says of its own content.
    private var claims = DigestClaims()

    /// Parts that have ended and that nobody has taken yet, in order.
    var closedParts: [PartReport] = []

    /// The digests of the parts that are complete, if somebody is told them.
    var partDigests = PartDigestList()

    var findings = Findings()

    /// The first fact that `strict` would have blocked and the profile in force did not.
    private(set) var firstStrictBlock: Finding?

    private(set) var partCount = 0
    private(set) var fileCount = 0
    private var nonFileBytes = 0

    /// The exchange's clock, set before each run of events.
    var now: UInt64 = 0

    init(policy shared: SharedPolicy, continuesAfterBlock: Bool) {
        self.shared = shared
        self.continuesAfterBlock = continuesAfterBlock
        digests = shared.noDigests
        course = shared.policy.contract.map(ContractCourse.init)
        refusesTypes = shared.refusesByType
    }

    var isStopped: Bool { findings.hasBlock && !continuesAfterBlock }

    mutating func headBegins(at offset: Int) {
        pendingHead = offset
    }

    mutating func partBegins(_ head: PartHead) {
        pendingHead = nil
        let objections = course?.partBegins(head) ?? []
        open(PartReport(head, index: partCount, isForm: isForm))
        for objection in objections where !isStopped { block(objection, at: head.headOffset) }
        readClaims(of: head)
        if shared.nestedRules.depth > 0 { openNested(head) }
    }

    /// Takes note of the digest fields of a part, and sees to it that they can be checked.
    private mutating func readClaims(of head: PartHead) {
        claims = DigestClaims(of: head)
        guard !claims.isEmpty, let openPart else { return }
        note(claims, of: openPart)
        digests = DigestSet(policy.computedDigests + claims.algorithms)
    }

    /// Notes what is wrong with the digest fields of a part themselves.
    mutating func note(_ claims: DigestClaims, of part: PartReport) {
        if claims.isMalformed { block(.digestMalformed, at: part.headOffset, in: part.index) }
        if claims.ignoresSome { note(.digestUnchecked, at: part.headOffset, in: part.index) }
    }

    /// Opens a part: one that a multipart body begins, or the only one of any other body.
    mutating func open(_ part: PartReport) {
        openPart = part
        openPartStart = now
        digests.reset()
        isSniffed = part.kind == .field || !(policy.sniffs || refusesByType)
        if !isSniffed { sniff.reset() }
        count(part)
    }

    /// Counts a part that has begun, and holds it against the limits.
    mutating func count(_ part: PartReport) {
        partCount += 1
        if part.kind == .file { fileCount += 1 }
        if partCount > limits.parts {
            block(.limitParts, at: part.headOffset, in: part.index)
        }
        if part.kind == .file, fileCount > limits.files {
            block(.limitFiles, at: part.headOffset, in: part.index)
        }
    }

    mutating func content(_ bytes: Span<UInt8>) {
        guard keepsLimits(bytes.count) else { return holdAgainstLimits(bytes) }
        if !isStopped { take(bytes) }
    }

    /// True if the open part, if there is one, breaks no rule by `count` more bytes.
    private func keepsLimits(_ count: Int) -> Bool {
        guard let size = openPart?.size, let kind = openPart?.kind else { return false }
        if let course {
            guard course.objectionsToContent.isEmpty,
                roomBroken(by: count, after: size, most: course.maximumBytes) == nil
            else { return false }
        }
        return roomBroken(by: count, after: size, most: limits.partBytes) == nil
            && (kind != .field
                || roomBroken(by: count, after: nonFileBytes, most: limits.nonFileBytes) == nil)
    }

    /// Takes content up to the limit that it breaks, or to the end of it.
    private mutating func holdAgainstLimits(_ bytes: Span<UInt8>) {
        guard let part = openPart else { return }
        var broken: [(reason: PolicyReason, room: Int)] = []
        if let room = roomBroken(by: bytes.count, after: part.size, most: limits.partBytes) {
            broken.append((.limitPartSize, room))
        }
        let objections = course?.objectionsToContent ?? []
        if !objections.isEmpty,
            let room = roomBroken(by: bytes.count, after: part.size, most: 0)
        {
            broken += objections.map { ($0, room) }
        }
        let agreed = course?.maximumBytes
        if let room = roomBroken(by: bytes.count, after: part.size, most: agreed) {
            broken.append((.contractTooLarge, room))
        }
        if part.kind == .field {
            let most = limits.nonFileBytes
            if let room = roomBroken(by: bytes.count, after: nonFileBytes, most: most) {
                broken.append((.limitNonFileBytes, room))
            }
        }
        // The limit met first decides, and a refused part ends there.
        var taken = 0
        for limit in broken.sorted(by: { $0.room < $1.room }) where !isStopped {
            take(bytes.extracting(taken..<limit.room))
            taken = limit.room
            block(limit.reason, at: part.contentOffset + part.size + taken)
        }
        if !isStopped { take(bytes.extracting(taken..<bytes.count)) }
    }

    /// Whether `count` more bytes of content break no rule, and are hashed as they come.
    func takesAhead(_ count: Int) -> Bool {
        isSniffed && digests.makesSHA256 && nested.isEmpty && !isStopped && keepsLimits(count)
    }

    /// How many of `count` more bytes a limit still has room for, if they are the ones to break it.
    private func roomBroken(by count: Int, after size: Int, most: Int?) -> Int? {
        guard let most, size <= most, count > most - size else { return nil }
        return most - size
    }

    /// Takes content that breaks no limit, in pieces that leave everything found its place: one ends
    /// where the beginning of the file is known, and what lies within is read a little at a time.
    private mutating func take(_ bytes: Span<UInt8>) {
        var start = 0
        while start < bytes.count, !isStopped {
            var count = bytes.count - start
            if !isSniffed { count = min(count, SniffBuffer.capacity - (openPart?.size ?? 0)) }
            if nested.isEmpty {
                absorb(bytes.extracting(start..<start + count))
            } else {
                count = min(count, Self.nestedPiece)
                takeNested(bytes.extracting(start..<start + count))
            }
            start += count
        }
    }

    /// Takes a piece of a part with others in it, up to the byte that stops the books.
    ///
    /// A piece with something in it for which the upload is refused is read again, byte by byte, so
    /// that what is recorded of the parts around does not depend on where the piece ends.
    private mutating func takeNested(_ bytes: Span<UInt8>) {
        let before = continuesAfterBlock ? nil : self
        absorb(bytes)
        guard isStopped, let before, bytes.count > 1 else { return }
        self = before
        for index in bytes.indices where !isStopped { absorb(bytes.extracting(index...index)) }
    }

    private mutating func absorb(_ bytes: Span<UInt8>) {
        digests.update(bytes)
        openPart?.endOffset += bytes.count
        if openPart?.kind == .field { nonFileBytes += bytes.count }
        if !isSniffed { sniff.append(bytes) }
        if !nested.isEmpty { readNested(bytes) }
        if !isSniffed, sniff.isFull, !isStopped { judgeType(isKnown: true) }
    }

    mutating func partEnds(at offset: Int) {
        close(as: .complete)
    }

    /// Where the file begins, open or within the open part, that may still turn out to be of a type
    /// that is refused; nil where there is none.
    var untypedOffset: Int? {
        guard let openPart else { return nil }
        if !isSniffed, refusesByType { return openPart.headOffset }
        return refusesTypes ? nested.first?.untypedOffset : nil
    }

    /// Where the outermost of the open parts begins that may still turn out to be small, and leaves
    /// only whole; nil where there is none.
    func smallPartOffset(upTo holdBytes: Int) -> Int? {
        guard let openPart else { return nil }
        if openPart.size <= holdBytes { return openPart.headOffset }
        return nested.first?.smallPartOffset(upTo: holdBytes)
    }

    /// True if what the open file begins like may be a reason to refuse it.
    private var refusesByType: Bool { refusesTypes || course?.wantsType ?? false }

    /// Says what the open file is.
    ///
    /// - Parameter isKnown: Its beginning, or all of it, has been seen; false if the body broke off
    ///   before, so that the file might have become anything.
    private mutating func judgeType(isKnown: Bool) {
        isSniffed = true
        let types = sniff.types
        openPart?.sniffedType = types?.mediaType
        guard !isStopped, let part = openPart else { return }
        if isKnown, let course, !course.accepts(types) {
            block(.contractTypeDenied, at: part.contentOffset)
        }
        judge(types, of: part)
    }

    /// Gate G4: notes all that the digests of a part that is complete say against it.
    mutating func judge(_ made: Digests, of part: PartReport, keepsClaims: Bool) {
        if !keepsClaims { block(.digestMismatch, at: part.endOffset, in: part.index) }
        guard part.kind == .file, let lists = policy.hashes else { return }
        // A file input that was left empty is no file.
        if part.filename == "", part.size == 0 { return }
        if made.contains(where: lists.deny.contains) {
            block(.hashDenied, at: part.endOffset, in: part.index)
        }
        if !lists.allow.isEmpty, !made.contains(where: lists.allow.contains) {
            block(.hashNotAllowed, at: part.endOffset, in: part.index)
        }
    }

    mutating func found(_ reason: MultipartReason, at offset: Int) {
        // A part that is looked into is not odd for being multipart.
        if reason == .partNestedMultipart, policy.nestedDepth > 0 { return }
        note(reason, at: offset, in: currentPart)
    }

    /// Closes the open part, if there is one; its digest covers the content seen so far.
    mutating func close(as state: PartReport.State) {
        if !nested.isEmpty { closeNested(as: state) }
        if !isSniffed { judgeType(isKnown: state == .complete && !isStopped) }
        guard openPart != nil else { return }
        let made = digests.finish()
        // It stays open while it is judged: what is found belongs to it.
        if state == .complete { judgeOpenPart(by: made) }
        guard var part = openPart.take() else { return }
        part.state = state == .complete && isStopped ? .rejected : state
        if !claims.isEmpty {
            claims = DigestClaims()
            digests = shared.noDigests
        }
        note(made, of: &part)
        part.durationNanoseconds = now >= openPartStart ? now - openPartStart : 0
        closedParts.append(part)
    }

    private mutating func judgeOpenPart(by made: Digests) {
        openPart?.state = .complete
        guard let part = openPart else { return }
        if let objection = course?.partEnds(part), !isStopped {
            block(objection, at: part.endOffset)
        }
        judge(made, of: part, keepsClaims: claims.holds(for: made))
    }

    /// Writes the digests of a part that has ended into its report, but for those that are made to
    /// be compared only, and into the list of those that are told.
    mutating func note(_ made: Digests, of part: inout PartReport) {
        // An iterator of another module takes two allocations.
        for index in made.indices where policy.digests.contains(made[index].algorithm) {
            part.digests.append(PartDigest(made[index]))
        }
        if shared.tellsPartDigests, part.state == .complete { partDigests.append(part, made) }
    }

    /// Notes what the policy has against the upload: it blocks, unless the operator says otherwise.
    mutating func block(_ reason: PolicyReason, at offset: Int, telling: String? = nil) {
        block(reason, at: offset, in: currentPart, telling: telling)
    }

    mutating func block(
        _ reason: PolicyReason,
        at offset: Int,
        in part: Int?,
        telling: String? = nil
    ) {
        let severity = policy.findings[reason.rawValue] ?? .block
        findings.note(reason, at: offset, in: part, as: severity, telling: telling)
    }

    /// Notes what is worth knowing and harms nobody, unless the operator says otherwise.
    mutating func note(_ reason: PolicyReason, at offset: Int, in part: Int?) {
        let severity = policy.findings[reason.rawValue] ?? .info
        findings.note(reason, at: offset, in: part, as: severity)
    }

    /// Notes a fact about the body, as severe as the operator or else the profile says it is.
    mutating func note(
        _ reason: MultipartReason,
        at offset: Int,
        in part: Int?,
        isForm: Bool? = nil
    ) {
        let isForm = isForm ?? self.isForm
        let severity = severity(of: reason, under: policy.profile, isForm: isForm)
        findings.note(reason, at: offset, in: part, as: severity)
        if severity != .block { noteCounterfactual(reason, at: offset, in: part, isForm: isForm) }
    }

    private func severity(
        of reason: MultipartReason,
        under profile: Profile,
        isForm: Bool
    ) -> Severity {
        if let severity = policy.findings[reason.rawValue] { return severity }
        if !isForm, let severity = profile.severityOutsideForms(of: reason) { return severity }
        return profile.severity(of: reason)
    }

    /// What the other profile would have done; a code the operator has set is the same in both.
    private mutating func noteCounterfactual(
        _ reason: MultipartReason,
        at offset: Int,
        in part: Int?,
        isForm: Bool
    ) {
        guard firstStrictBlock == nil, policy.profile != .strict,
            severity(of: reason, under: .strict, isForm: isForm) == .block
        else { return }
        firstStrictBlock = Finding(
            code: reason.rawValue,
            severity: .block,
            detail: ParserFamilies.detail(reason.explanation, of: reason.rawValue),
            offset: offset,
            part: part,
            reference: reason.reference
        )
    }

    /// The part a finding belongs to: the open one, or the one whose header is being read.
    var currentPart: Int? { openPart?.index ?? (pendingHead == nil ? nil : partCount) }
}
