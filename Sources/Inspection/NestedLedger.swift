internal import Digest
internal import Multipart
internal import Wire

/// Keeps the books of one nested body while it is parsed.
///
/// It decides nothing, and so never stops: whoever takes the events does both.
struct NestedLedger: Sendable, MultipartSink {
    let isForm: Bool

    /// Where the nested body begins in the whole one.
    let base: Int

    /// How what lies within the parts of this body is read.
    private let rules: NestedRules

    var events: [NestedEvent] = []

    /// The body of the open part, if that is multipart too and is looked into.
    var nested: [NestedBody] = []

    private var digests: DigestSet
    private var claims = DigestClaims()
    private var isOpen = false
    private var headOffset = 0
    private var contentOffset = 0
    private var endOffset = 0

    /// How the open file begins, as far as it has been read.
    private var sniff = SniffBuffer()

    /// Bytes until the beginning of the open file is known; 0 where nobody waits for it.
    private var sniffsMore = 0

    init(isForm: Bool, base: Int, rules: NestedRules) {
        self.isForm = isForm
        self.base = base
        self.rules = rules
        digests = DigestSet(rules.digests)
    }

    var isStopped: Bool { false }

    mutating func headBegins(at offset: Int) {
        events.append(.headBegins)
    }

    mutating func partBegins(_ head: PartHead) {
        isOpen = true
        headOffset = base + head.headOffset
        contentOffset = base + head.contentOffset
        endOffset = contentOffset
        claims = DigestClaims(of: head)
        if claims.isEmpty {
            digests.reset()
        } else {
            digests = DigestSet(rules.digests + claims.algorithms)
        }
        var report = PartReport(head, index: 0, isForm: isForm)
        report.headOffset += base
        report.contentOffset += base
        report.endOffset += base
        events.append(.partBegins(report, claims))
        sniffsMore = report.kind == .file && rules.sniffs ? SniffBuffer.capacity : 0
        if sniffsMore > 0 { sniff.reset() }
        let opening = NestedOpening(head, at: endOffset, rules: rules)
        events += opening.events
        nested = opening.bodies
    }

    mutating func content(_ bytes: Span<UInt8>) {
        // Cut where the beginning is known, so that this is told in its place among the events.
        let beginning = min(sniffsMore, bytes.count)
        take(bytes.extracting(0..<beginning))
        take(bytes.extracting(beginning..<bytes.count))
    }

    private mutating func take(_ bytes: Span<UInt8>) {
        guard !bytes.isEmpty else { return }
        digests.update(bytes)
        endOffset += bytes.count
        if !nested.isEmpty {
            nested[0].consume(bytes)
            events += nested[0].takeEvents()
        }
        guard sniffsMore > 0 else { return }
        sniff.append(bytes)
        sniffsMore -= bytes.count
        if sniffsMore == 0 { tellBeginning() }
    }

    private mutating func tellBeginning() {
        sniffsMore = 0
        events.append(.sniffed(sniff.types))
    }

    /// Where the outermost open file begins that waits for its type.
    var untypedOffset: Int? {
        isOpen && sniffsMore > 0 ? headOffset : nested.first?.untypedOffset
    }

    /// Where the outermost open part begins that has no more than `holdBytes` so far.
    func smallPartOffset(upTo holdBytes: Int) -> Int? {
        guard isOpen else { return nil }
        if endOffset - contentOffset <= holdBytes { return headOffset }
        return nested.first?.smallPartOffset(upTo: holdBytes)
    }

    mutating func partEnds(at offset: Int) {
        if !nested.isEmpty { nested[0].finish() }
        close(as: .complete)
    }

    mutating func found(_ reason: MultipartReason, at offset: Int) {
        // A part that is looked into is not odd for being multipart.
        if reason == .partNestedMultipart, rules.depth > 0 { return }
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
        if sniffsMore > 0 { tellBeginning() }
        let made = digests.finish()
        let keepsClaims = claims.holds(for: made)
        events.append(
            .partEnds(endOffset: endOffset, digests: made, keepsClaims: keepsClaims, state: state)
        )
        if !claims.isEmpty {
            claims = DigestClaims()
            digests = DigestSet(rules.digests)
        }
    }
}
