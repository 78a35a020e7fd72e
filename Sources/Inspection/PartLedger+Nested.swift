internal import Digest
internal import Multipart

/// Parts within parts: they are counted, limited and reported like any other.
extension PartLedger {
    /// Looks into the part that has begun, if it is multipart and the policy asks for it.
    mutating func openNested(_ head: PartHead) {
        guard policy.nestedDepth > 0 else { return }
        let opening = NestedOpening(
            head,
            at: head.contentOffset,
            depth: policy.nestedDepth - 1,
            limits: policy.limits.multipart,
            digests: policy.computedDigests
        )
        take(opening.events)
        nested = opening.bodies
    }

    mutating func readNested(_ bytes: Span<UInt8>) {
        nested[0].consume(bytes)
        take(nested[0].takeEvents())
    }

    /// The part around ends, as `state` says.
    mutating func closeNested(as state: PartReport.State) {
        guard !nested.isEmpty else { return }
        if state == .complete { nested[0].finish() } else { nested[0].abort(as: state) }
        let events = nested[0].takeEvents()
        nested = []
        take(events)
        // Where the books have stopped, nobody has taken the ends.
        while var part = nestedParts.popLast() {
            part.state = .rejected
            closedParts.append(part)
        }
        hasNestedHead = false
    }

    private mutating func take(_ events: [NestedEvent]) {
        for event in events {
            if isStopped { return }
            switch event {
            case .found(let reason, let offset, let isForm, let isFault):
                if isFault {
                    findings.note(reason, at: offset, in: nestedPart, as: .block)
                } else {
                    note(reason, at: offset, in: nestedPart, isForm: isForm)
                }
            case .headBegins:
                hasNestedHead = true
            case .partBegins(let report, let claims):
                hasNestedHead = false
                var part = report
                part.index = partCount
                part.parent = nestedParts.last?.index ?? openPart?.index
                nestedParts.append(part)
                count(part)
                if course != nil { block(.contractUnexpectedField, at: part.headOffset) }
                note(claims, of: part)
            case .partEnds(let endOffset, let made, let keepsClaims, let state):
                guard var part = nestedParts.popLast() else { continue }
                part.endOffset = endOffset
                part.state = state
                part.digests = recorded(made)
                if state == .complete,
                    let reason = judge(made, of: part, keepsClaims: keepsClaims)
                {
                    block(reason, at: endOffset, in: part.index)
                    if isStopped { part.state = .rejected }
                }
                closedParts.append(part)
            }
        }
    }

    private var nestedPart: Int? {
        hasNestedHead ? partCount : nestedParts.last?.index ?? openPart?.index
    }
}
