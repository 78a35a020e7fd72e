internal import Digest
internal import Multipart

/// Parts within parts: they are counted, limited and reported like any other.
extension PartLedger {
    /// Looks into the part that has begun, if it is multipart.
    mutating func openNested(_ head: PartHead) {
        let opening = NestedOpening(head, at: head.contentOffset, rules: shared.nestedRules)
        take(opening.events)
        nested = opening.bodies
    }

    mutating func readNested(_ bytes: Span<UInt8>) {
        nested[0].consume(bytes)
        take(nested[0].takeEvents())
    }

    /// The part around ends, as `state` says.
    mutating func closeNested(as state: PartReport.State) {
        if state == .complete { nested[0].finish() } else { nested[0].abort(as: state) }
        take(nested[0].takeEvents())
        nested = []
        hasNestedHead = false
    }

    private mutating func take(_ events: [NestedEvent]) {
        for event in events {
            switch event {
            case .found(let reason, let offset, let isForm, let isFault):
                guard !isStopped else { continue }
                if isFault {
                    findings.note(reason, at: offset, in: nestedPart, as: .block)
                } else {
                    note(reason, at: offset, in: nestedPart, isForm: isForm)
                }
            case .headBegins:
                hasNestedHead = !isStopped
            case .partBegins(let report, let claims):
                begin(report, claims)
            case .sniffed(let types):
                guard uncountedParts == 0, let part = nestedParts.last else { continue }
                nestedParts[nestedParts.count - 1].sniffedType = types?.mediaType
                if !isStopped { judge(types, of: part) }
            case .partEnds(let endOffset, let made, let keepsClaims, let state):
                end(at: endOffset, made, keepsClaims: keepsClaims, as: state)
            }
        }
    }

    private mutating func begin(_ report: PartReport, _ claims: DigestClaims) {
        guard !isStopped else {
            uncountedParts += 1
            return
        }
        hasNestedHead = false
        var part = report
        part.index = partCount
        part.parent = nestedParts.last?.index ?? openPart?.index
        nestedParts.append(part)
        count(part)
        if course != nil {
            block(.contractUnexpectedField, at: part.headOffset, in: part.index)
        }
        note(claims, of: part)
    }

    private mutating func end(
        at endOffset: Int,
        _ made: Digests,
        keepsClaims: Bool,
        as state: PartReport.State
    ) {
        guard uncountedParts == 0 else {
            uncountedParts -= 1
            return
        }
        guard var part = nestedParts.popLast() else { return }
        part.endOffset = endOffset
        part.state = state
        if state == .complete {
            if !isStopped { judge(made, of: part, keepsClaims: keepsClaims) }
            if isStopped { part.state = .rejected }
        }
        note(made, of: &part)
        closedParts.append(part)
    }

    private var nestedPart: Int? {
        hasNestedHead ? partCount : nestedParts.last?.index ?? openPart?.index
    }
}
