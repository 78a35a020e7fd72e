internal import Digest
internal import Multipart
internal import Wire

/// What happens in a part that is itself multipart, with offsets in the whole body.
enum NestedEvent: Sendable {
    /// An oddity, or the fault that ends the reading of this part.
    case found(MultipartReason, at: Int, isForm: Bool, isFault: Bool)
    case headBegins
    /// The report has no index yet: whoever counts all the parts of a body gives it one.
    case partBegins(PartReport, DigestClaims)
    case partEnds(endOffset: Int, digests: [Digest], keepsClaims: Bool, state: PartReport.State)
}

/// Reads the content of a part that is itself multipart, as it passes.
///
/// It is a multipart body like the one around it, so it has the same parser, and for its own parts
/// that are multipart, as far down as it is asked to look, the same reader.
struct NestedBody: Sendable {
    private var parser: MultipartParser
    private var ledger: NestedLedger
    private var isBroken = false

    /// Begins the content of a part.
    ///
    /// - Parameters:
    ///   - boundary: The boundary of its Content-Type.
    ///   - isForm: It is multipart/form-data.
    ///   - offset: Where its content begins in the body.
    ///   - depth: How many levels below this one are read.
    ///   - limits: The bounds of the parser.
    ///   - digests: What is computed of each part.
    init(
        boundary: MultipartBoundary,
        isForm: Bool,
        at offset: Int,
        depth: Int,
        limits: MultipartLimits,
        digests: [DigestAlgorithm]
    ) {
        parser = MultipartParser(boundary: boundary, limits: limits)
        ledger = NestedLedger(
            isForm: isForm,
            base: offset,
            depth: depth,
            limits: limits,
            algorithms: digests
        )
    }

    /// Bytes below this offset in the body are decided, as far as this part is concerned; nil where
    /// it withholds nothing.
    ///
    /// The close-delimiter is not withheld: what follows it may be longer than anything that can
    /// be, and is reported with its first byte.
    var settledOffset: Int? {
        if isBroken || parser.isInEpilogue { return nil }
        let own = ledger.base + parser.settledOffset
        return min(own, ledger.nested.last?.settledOffset ?? own)
    }

    mutating func consume(_ bytes: Span<UInt8>) {
        guard !isBroken else { return }
        do throws(MultipartFault) {
            try parser.consume(bytes, into: &ledger)
        } catch {
            breakOff(error)
        }
    }

    /// The part has ended.
    mutating func finish() {
        guard !isBroken else { return }
        do throws(MultipartFault) {
            try parser.finish(into: &ledger)
        } catch {
            breakOff(error)
        }
    }

    /// The part ends before its end.
    mutating func abort(as state: PartReport.State) {
        ledger.close(as: state)
        isBroken = true
    }

    /// What has happened since this was last asked, in order.
    mutating func takeEvents() -> [NestedEvent] {
        guard !ledger.events.isEmpty else { return [] }
        defer { ledger.events.removeAll() }
        return ledger.events
    }

    private mutating func breakOff(_ fault: MultipartFault) {
        let offset = ledger.base + fault.offset
        ledger.events.append(
            .found(fault.reason, at: offset, isForm: ledger.isForm, isFault: true)
        )
        abort(as: .truncated)
    }
}

/// Keeps the books of one nested body while it is parsed.
private struct NestedLedger: Sendable, MultipartSink {
    let isForm: Bool
    let base: Int
    let depth: Int
    let limits: MultipartLimits
    var events: [NestedEvent] = []

    /// The body of the open part, if that is multipart too and is looked into.
    var nested: [NestedBody] = []
    private let algorithms: [DigestAlgorithm]
    private var digests: DigestSet
    private var claims = DigestClaims()
    private var isOpen = false
    private var endOffset = 0

    init(
        isForm: Bool,
        base: Int,
        depth: Int,
        limits: MultipartLimits,
        algorithms: [DigestAlgorithm]
    ) {
        self.isForm = isForm
        self.base = base
        self.depth = depth
        self.limits = limits
        self.algorithms = algorithms
        digests = DigestSet(algorithms)
    }

    /// Whoever reads the events decides; until then nothing stops.
    var isStopped: Bool { false }

    mutating func headBegins(at offset: Int) {
        events.append(.headBegins)
    }

    mutating func partBegins(_ head: PartHead) {
        isOpen = true
        endOffset = base + head.contentOffset
        claims = DigestClaims(of: head)
        if claims.isEmpty {
            digests.reset()
        } else {
            digests = DigestSet(algorithms + claims.algorithms)
        }
        var report = PartReport(head, index: 0, isForm: isForm)
        report.headOffset += base
        report.contentOffset += base
        report.endOffset += base
        events.append(.partBegins(report, claims))
        if depth > 0 {
            let opening = NestedOpening(
                head,
                at: endOffset,
                depth: depth - 1,
                limits: limits,
                digests: algorithms
            )
            events += opening.events
            nested = opening.bodies
        }
    }

    mutating func content(_ bytes: Span<UInt8>) {
        digests.update(bytes)
        endOffset += bytes.count
        guard !nested.isEmpty else { return }
        nested[0].consume(bytes)
        events += nested[0].takeEvents()
    }

    mutating func partEnds(at offset: Int) {
        if !nested.isEmpty { nested[0].finish() }
        close(as: .complete)
    }

    mutating func found(_ reason: MultipartReason, at offset: Int) {
        // A part that is looked into is not odd for being multipart.
        if reason == .partNestedMultipart, depth > 0 { return }
        events.append(.found(reason, at: base + offset, isForm: isForm, isFault: false))
    }

    mutating func close(as state: PartReport.State) {
        if !nested.isEmpty {
            if state != .complete { nested[0].abort(as: state) }
            events += nested[0].takeEvents()
            nested = []
        }
        guard isOpen else { return }
        isOpen = false
        let made = digests.finish()
        let keepsClaims = claims.holds(for: made)
        events.append(
            .partEnds(endOffset: endOffset, digests: made, keepsClaims: keepsClaims, state: state)
        )
        if !claims.isEmpty {
            claims = DigestClaims()
            digests = DigestSet(algorithms)
        }
    }
}

/// The beginning of a part that may be multipart itself.
struct NestedOpening {
    /// What is wrong with its Content-Type, at the first byte of its content.
    private(set) var events: [NestedEvent] = []

    /// The body to read, or none.
    private(set) var bodies: [NestedBody] = []

    init(
        _ head: PartHead,
        at offset: Int,
        depth: Int,
        limits: MultipartLimits,
        digests: [DigestAlgorithm]
    ) {
        guard let value = head.contentType else { return }
        let bytes = Array(value.utf8)
        let type = MultipartContentType(
            parsing: bytes.span,
            boundaryLimit: limits.boundaryBytes
        )
        guard type.isMultipart else { return }
        let isForm = !type.isOtherMultipart
        for problem in type.problems where problem.reason != .contentTypeNotMultipart {
            events.append(.found(problem.reason, at: offset, isForm: isForm, isFault: false))
        }
        guard let boundary = type.boundary else { return }
        bodies = [
            NestedBody(
                boundary: boundary,
                isForm: isForm,
                at: offset,
                depth: depth,
                limits: limits,
                digests: digests
            )
        ]
    }
}

extension PartReport {
    /// What the header block says of a part.
    init(_ head: PartHead, index: Int, isForm: Bool) {
        self.init(
            index: index,
            kind: head.isFile || !isForm ? .file : .field,
            state: .truncated,
            name: head.name,
            filename: head.filename ?? head.extendedFilename,
            contentType: head.contentType,
            headerCount: head.fieldCount,
            headOffset: head.headOffset,
            contentOffset: head.contentOffset,
            endOffset: head.contentOffset
        )
    }
}
