import Inspection

/// Everything observable about the inspection of one body, as a value that `==` can judge.
struct InspectionOutcome: Equatable {
    /// What is decided about one body, however it is cut.
    struct Facts: Equatable {
        var firstBlock: Finding?
        var findings: [Finding] = []
        var parts: [PartReport] = []
        var partCount = 0
        var fileCount = 0
    }

    var facts = Facts()

    /// `receivedOffset` and `releasedOffset` after each piece, and after the end if it was reached.
    var steps: [Step] = []

    struct Step: Equatable {
        let received: Int
        let released: Int
    }

    /// What was released in the end.
    var released: Int { steps.last?.released ?? 0 }
}

extension InspectionOutcome {
    /// Feeds the pieces as the proxy does: up to the first refusal, and `finish` only without one.
    init(
        of pieces: [ArraySlice<UInt8>],
        contentTypes: [String],
        declaredLength: Int?,
        policy: InspectionPolicy
    ) {
        var inspector = UploadInspector(
            contentTypes,
            declaredLength: declaredLength,
            policy: policy
        )
        var parts: [PartReport] = []
        for piece in pieces where inspector.refusal == nil {
            inspector.consume(piece.span)
            parts += inspector.takeClosedParts()
            note(inspector)
        }
        if inspector.refusal == nil {
            inspector.finish()
            note(inspector)
        }
        parts += inspector.takeClosedParts(everything: true)
        facts = Facts(
            firstBlock: inspector.firstBlock,
            findings: inspector.findings,
            parts: parts,
            partCount: inspector.partCount,
            fileCount: inspector.fileCount
        )
    }

    private mutating func note(_ inspector: borrowing UploadInspector) {
        steps.append(
            Step(received: inspector.receivedOffset, released: inspector.releasedOffset)
        )
    }
}

extension InspectionOutcome.Facts {
    /// Without what depends on the moment: whether a part of a refused body had left already.
    var ignoringCommitment: Self {
        var facts = self
        for index in facts.parts.indices { facts.parts[index].isCommitted = false }
        return facts
    }
}

extension UploadInspector {
    init(
        _ contentTypes: [String],
        declaredLength: Int? = nil,
        policy: InspectionPolicy = InspectionPolicy(),
        continuesAfterBlock: Bool = false,
        at now: UInt64 = 0
    ) {
        self.init(
            contentType: contentTypes.map { Array($0.utf8)[...] },
            declaredLength: declaredLength,
            policy: policy,
            continuesAfterBlock: continuesAfterBlock,
            at: now
        )
    }

    /// Lends a slice: a span of a temporary does not outlive the expression, a parameter's does.
    mutating func consume(_ bytes: ArraySlice<UInt8>, at now: UInt64 = 0) {
        consume(bytes.span, at: now)
    }
}

extension InspectionPolicy {
    /// A policy that withholds no more of a part than the gates have to.
    static var open: InspectionPolicy {
        with { $0.limits.holdBytes = 0 }
    }

    static func with(_ change: (inout InspectionPolicy) -> Void) -> InspectionPolicy {
        var policy = InspectionPolicy()
        change(&policy)
        return policy
    }

    func with(_ change: (inout InspectionPolicy) -> Void) -> InspectionPolicy {
        var policy = self
        change(&policy)
        return policy
    }
}
