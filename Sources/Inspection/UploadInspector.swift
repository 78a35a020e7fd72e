package import Digest
internal import Multipart
internal import Wire

/// Reads the body of one request as it passes, and says how much of it may be let through.
///
/// The inspector joins the multipart parser, the digests and the policy. It holds no body byte: it
/// is lent each piece once, in order, and answers with an offset. Bytes below `releasedOffset` may
/// go to the upstream; the caller keeps those at and after it. What is withheld, and why it is
/// always bounded, is `ReleaseGate`'s to say.
///
/// A body that is not multipart is one part, index 0, and a file.
package struct UploadInspector: ~Copyable, Sendable {
    /// What kind of body this is.
    enum Body {
        /// Nobody looks: mode `off`.
        case unseen
        /// One part that is the whole body.
        case raw
        /// What `parser` reads.
        case multipart
        /// Nothing more can be read out of it: it was refused, or it broke.
        case closed
    }

    private(set) var body: Body

    /// Set before the body becomes `multipart`.
    var parser: MultipartParser?
    var ledger: PartLedger
    private let shared: SharedPolicy
    private let gate: ReleaseGate

    /// What the request says of its whole body, and what is made of it to see whether that holds.
    private var claims = DigestClaims()
    private var bodyDigests: DigestSet?

    /// It was said in advance that the body is larger than it may be.
    private var isTooLong = false

    /// Body bytes seen so far.
    package private(set) var receivedOffset = 0

    /// Body bytes that may have gone to the upstream.
    ///
    /// Never moves back.
    package private(set) var releasedOffset = 0

    package private(set) var isFinished = false

    /// Begins a body.
    ///
    /// - Parameters:
    ///   - contentType: The values of all Content-Type fields of the request, in order.
    ///   - declaredLength: What Content-Length says, or nil for a chunked body.
    ///   - digestFields: The request's fields that carry digests of its content, in order.
    ///   - announcedDigests: Digests that the trailer may carry, to be made in advance.
    ///   - shared: What is inspected, and what becomes of what is found.
    ///   - continuesAfterBlock: Go on reading after a finding that blocks, to find everything.
    ///   - now: As for `consume`.
    package init(
        contentType: [ArraySlice<UInt8>],
        declaredLength: Int?,
        digestFields: [(field: DigestField, value: ArraySlice<UInt8>)] = [],
        announcedDigests: [DigestAlgorithm] = [],
        policy shared: SharedPolicy,
        continuesAfterBlock: Bool = false,
        at now: UInt64 = 0
    ) {
        self.shared = shared
        let mode = shared.policy.mode
        let observes = mode == .observe
        ledger = PartLedger(policy: shared, continuesAfterBlock: continuesAfterBlock || observes)
        ledger.now = now
        body = .unseen
        // Nobody looks, so nobody needs to know.
        let type = (mode == .off ? nil : contentType.first).map {
            MultipartContentType(parsing: $0.span, boundaryLimit: shared.limits.boundaryBytes)
        }
        gate = ReleaseGate(
            policy: shared,
            declaredLength: declaredLength,
            isMultipart: type?.isMultipart ?? false
        )
        guard mode != .off else { return }
        body = .raw
        if contentType.count > 1 { ledger.block(.contentTypeDuplicateHeader, at: 0) }
        judge(type)
        if type?.isMultipart != true, contentType.first?.namesMultipart == true {
            // Some look for the word anywhere before the parameters, and would find a form.
            ledger.note(.contentTypeInvalid, at: 0, in: nil)
        }
        if let declaredLength, let most = shared.limits.bodyBytes, declaredLength > most {
            ledger.block(.limitBody, at: most)
            isTooLong = true
        }
        for (field, value) in digestFields { claims.read(value.span, of: field) }
        if claims.isMalformed { ledger.block(.digestMalformed, at: 0) }
        if claims.ignoresSome { ledger.note(.digestUnchecked, at: 0, in: nil) }
        if !claims.isEmpty || !announcedDigests.isEmpty {
            let wanted = claims.algorithms + announcedDigests
            bodyDigests = DigestSet(wanted)
        }
        if ledger.isStopped {
            body = .closed
        } else if case .raw = body {
            ledger.open(.whole(contentType: contentType.first.map { $0.span.repairedText }))
        }
    }

    private var policy: InspectionPolicy { shared.policy }

    /// Begins a body under a policy of its own.
    package init(
        contentType: [ArraySlice<UInt8>],
        declaredLength: Int?,
        digestFields: [(field: DigestField, value: ArraySlice<UInt8>)] = [],
        announcedDigests: [DigestAlgorithm] = [],
        policy: InspectionPolicy,
        continuesAfterBlock: Bool = false,
        at now: UInt64 = 0
    ) {
        self.init(
            contentType: contentType,
            declaredLength: declaredLength,
            digestFields: digestFields,
            announcedDigests: announcedDigests,
            policy: SharedPolicy(policy),
            continuesAfterBlock: continuesAfterBlock,
            at: now
        )
    }

    /// Gate G0: the media type and the boundary parameter.
    private mutating func judge(_ type: MultipartContentType?) {
        let accepted = policy.contentTypes
        if !accepted.isEmpty, !accepted.contains(type?.mediaType ?? "") {
            ledger.block(.contentTypeDenied, at: 0)
        }
        let isForm = type?.mediaType == "multipart/form-data"
        if policy.contract != nil, !isForm, !ledger.isStopped {
            ledger.block(.contractNotAForm, at: 0)
        }
        guard let type, type.isMultipart else { return }
        ledger.isForm = !type.isOtherMultipart
        for problem in type.problems {
            // Offsets in a field value are no offsets in the body: they point at its first byte.
            ledger.note(problem.reason, at: 0, in: nil)
        }
        guard let boundary = type.boundary else {
            body = .closed
            return
        }
        parser = MultipartParser(boundary: boundary, limits: policy.limits.multipart)
        body = .multipart
    }

    /// Reads the next piece of the body.
    ///
    /// - Parameters:
    ///   - bytes: What follows the pieces before it.
    ///   - now: The exchange's monotonic clock in nanoseconds, for the parts' durations.
    package mutating func consume(_ bytes: Span<UInt8>, at now: UInt64 = 0) {
        ledger.now = now
        let within = allowance(of: bytes.count)
        receivedOffset += bytes.count
        bodyDigests?.update(bytes)
        // What comes first in the body decides, so it is read up to the limit before that is broken.
        read(bytes.extracting(0..<within))
        if within < bytes.count {
            let limit = receivedOffset - bytes.count + within
            if !ledger.isStopped, !isTooLong { ledger.block(.limitBody, at: limit) }
            if ledger.isStopped {
                stop(as: .rejected)
            } else {
                read(bytes.extracting(within..<bytes.count))
            }
        }
        advance()
    }

    /// How many of the next `count` bytes come before the largest body ends, if it ends in them.
    func allowance(of count: Int) -> Int {
        guard let most = policy.limits.bodyBytes, policy.mode != .off, receivedOffset <= most else {
            return count
        }
        return min(count, most - receivedOffset)
    }

    /// Hands `bytes` to whoever reads this kind of body.
    private mutating func read(_ bytes: Span<UInt8>) {
        switch body {
        case .unseen, .closed:
            break
        case .raw:
            ledger.content(bytes)
            if ledger.isStopped { stop(as: .rejected) }
        case .multipart:
            do {
                try parser?.consume(bytes, into: &ledger)
                if ledger.isStopped { stop(as: .rejected) }
            } catch {
                fail(error)
            }
        }
    }

    /// The body has ended: all its bytes were consumed and its framing is complete.
    ///
    /// - Parameters:
    ///   - now: As for `consume`.
    ///   - digestTrailers: The fields of the trailer section that carry digests, in order.
    package mutating func finish(
        at now: UInt64 = 0,
        digestTrailers: [(field: DigestField, value: ArraySlice<UInt8>)] = []
    ) {
        ledger.now = now
        switch body {
        case .unseen, .closed:
            break
        case .raw:
            holdAgainstClaims(digestTrailers)
            ledger.close(as: ledger.isStopped ? .rejected : .complete)
        case .multipart:
            do {
                try parser?.finish(into: &ledger)
                ledger.holdAgainstContract()
                holdAgainstClaims(digestTrailers)
                if ledger.isStopped { stop(as: .rejected) }
            } catch {
                fail(error)
            }
        }
        body = .closed
        isFinished = true
        advance()
    }

    /// Gate G5: the digests that the message states of its body, in its head and its trailer.
    private mutating func holdAgainstClaims(
        _ trailers: [(field: DigestField, value: ArraySlice<UInt8>)]
    ) {
        guard policy.mode != .off, !ledger.isStopped else { return }
        var claims = claims
        for (field, value) in trailers { claims.read(value.span, of: field) }
        if claims.isMalformed, !self.claims.isMalformed {
            ledger.block(.digestMalformed, at: receivedOffset)
        }
        let made = bodyDigests?.finish() ?? Digests()
        if claims.ignoresSome || claims.exceeds(made) {
            ledger.note(.digestUnchecked, at: receivedOffset, in: nil)
        }
        if !claims.holds(for: made) { ledger.block(.digestMismatch, at: receivedOffset) }
    }

    /// The exchange ended before the body did: closes the open part.
    package mutating func abort(at now: UInt64 = 0) {
        ledger.now = now
        stop(as: .aborted)
    }

    private mutating func fail(_ fault: MultipartFault) {
        ledger.findings.note(fault.reason, at: fault.offset, in: ledger.currentPart, as: .block)
        stop(as: .truncated)
    }

    private mutating func stop(as state: PartReport.State) {
        ledger.close(as: state)
        body = .closed
    }

    private mutating func advance() {
        guard policy.mode == .enforce else {
            releasedOffset = receivedOffset
            return
        }
        guard ledger.findings.firstBlock == nil else { return }
        let released = gate.releasedOffset(
            received: receivedOffset,
            settled: settledOffset,
            isInEpilogue: parser?.isInEpilogue ?? false,
            smallPart: ledger.smallPartOffset(upTo: policy.limits.holdBytes),
            hasFirstPart: ledger.partCount > 0,
            isFinished: isFinished
        )
        // Of a file that may be refused for what it is, nothing leaves before that is known.
        let bound = ledger.untypedOffset
        releasedOffset = max(releasedOffset, min(released, bound ?? released))
    }

    private var settledOffset: Int {
        switch body {
        case .multipart:
            min(parser?.settledOffset ?? 0, ledger.nested.first?.settledOffset ?? Int.max)
        case .unseen, .raw, .closed: receivedOffset
        }
    }
}

extension UploadInspector {
    /// What has been found so far, in order.
    package var findings: [Finding] { ledger.findings.all }

    /// The finding that decides: in `enforce` the body is refused, in `observe` it would have been.
    package var firstBlock: Finding? { ledger.findings.firstBlock }

    /// The finding that `strict` would have refused an upload for which the profile in force does
    /// not refuse; nil also where both do.
    package var firstStrictBlock: Finding? { firstBlock == nil ? ledger.firstStrictBlock : nil }

    /// The finding the upload is refused for, or nil as long as it may go on.
    package var refusal: Finding? { policy.mode == .enforce ? firstBlock : nil }

    /// True where even the request head waits for the first part: G1.
    package var withholdsHead: Bool { policy.mode == .enforce && gate.isMultipart }

    /// The digests of all parts, as a field tells them, once the upload is accepted; nil before, and
    /// where nobody is told.
    package var partDigestField: String? {
        isFinished && firstBlock == nil ? ledger.partDigests.value : nil
    }

    package var partCount: Int { ledger.partCount }
    package var fileCount: Int { ledger.fileCount }

    /// Bytes withheld at most: what a read buffer must have room for, and some more to read into.
    package static func mostWithheld(under policy: InspectionPolicy) -> Int {
        SharedPolicy.mostWithheld(under: policy)
    }

    /// Parts that have closed since this was last called, in order.
    ///
    /// A part is handed out once its last byte has been sent, so that the report can say whether
    /// the upstream may have all of it; `everything` hands out the rest, at the exchange's end.
    ///
    /// - Parameters:
    ///   - sentOffset: Body bytes that the upstream was sent; nil where all that is released was.
    ///   - everything: Nothing more will be sent.
    /// - Returns: Their reports.
    package mutating func takeClosedParts(
        sentOffset: Int? = nil,
        everything: Bool = false
    ) -> [PartReport] {
        guard !ledger.closedParts.isEmpty else { return [] }
        let sent = min(sentOffset ?? releasedOffset, releasedOffset)
        let ready =
            everything
            ? ledger.closedParts.count : ledger.closedParts.prefix { $0.endOffset <= sent }.count
        guard ready > 0 else { return [] }
        var taken = Array(ledger.closedParts.prefix(ready))
        ledger.closedParts.removeFirst(ready)
        for index in taken.indices {
            taken[index].isCommitted =
                taken[index].state == .complete && taken[index].endOffset <= sent
        }
        return taken
    }
}

extension ArraySlice<UInt8> {
    /// True if "multipart" stands somewhere before the first parameter, in any case.
    fileprivate var namesMultipart: Bool {
        let word = Array("multipart".utf8)
        let type = prefix { $0 != ASCII.semicolon }.map(ASCII.lowercased)
        return type.indices.contains { type[$0...].starts(with: word) }
    }
}

extension InspectionLimits {
    var multipart: MultipartLimits {
        var limits = MultipartLimits()
        limits.boundaryBytes = boundaryBytes
        limits.partHeaderBytes = partHeaderBytes
        limits.partHeaderLineBytes = partHeaderLineBytes
        limits.partHeaderFields = partHeaderFields
        limits.nameBytes = nameBytes
        limits.filenameBytes = filenameBytes
        return limits
    }
}

extension PartReport {
    /// The only part of a body that is not multipart.
    fileprivate static func whole(contentType: String?) -> PartReport {
        PartReport(
            index: 0,
            kind: .file,
            state: .truncated,
            contentType: contentType,
            headOffset: 0,
            contentOffset: 0,
            endOffset: 0
        )
    }
}
