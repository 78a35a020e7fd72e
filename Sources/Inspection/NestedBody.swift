internal import Multipart
internal import Wire

/// Reads the content of a part that is itself multipart, as it passes.
///
/// It is a multipart body like the one around it, so it has the same parser, and for its own parts
/// that are multipart, as far down as it is asked to look, the same reader.
///
/// What has happened after a byte of the content depends on the bytes up to there alone, never on
/// how they were cut.
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
    ///   - rules: How it is read.
    init(boundary: MultipartBoundary, isForm: Bool, at offset: Int, rules: NestedRules) {
        parser = MultipartParser(boundary: boundary, limits: rules.limits)
        ledger = NestedLedger(isForm: isForm, base: offset, rules: rules)
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

    /// Where the outermost of the open files within begins whose type is not known yet, or nil.
    var untypedOffset: Int? { ledger.untypedOffset }

    /// Where the outermost of the open parts within begins that may still turn out to be small, and
    /// leaves only whole, or nil.
    func smallPartOffset(upTo holdBytes: Int) -> Int? {
        ledger.smallPartOffset(upTo: holdBytes)
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

/// The beginning of a part that may be multipart itself.
struct NestedOpening {
    /// What is wrong with its Content-Type, at the first byte of its content.
    private(set) var events: [NestedEvent] = []

    /// The body to read, or none.
    private(set) var bodies: [NestedBody] = []

    /// Looks at the head of a part whose content begins at `offset` of the whole body.
    init(_ head: PartHead, at offset: Int, rules: NestedRules) {
        guard rules.depth > 0, let value = head.contentType else { return }
        let bytes = Array(value.utf8)
        let type = MultipartContentType(
            parsing: bytes.span,
            boundaryLimit: rules.limits.boundaryBytes
        )
        guard type.isMultipart else { return }
        let isForm = !type.isOtherMultipart
        for problem in type.problems where problem.reason != .contentTypeNotMultipart {
            events.append(.found(problem.reason, at: offset, isForm: isForm, isFault: false))
        }
        guard let boundary = type.boundary else { return }
        bodies = [
            NestedBody(boundary: boundary, isForm: isForm, at: offset, rules: rules.inner)
        ]
    }
}
