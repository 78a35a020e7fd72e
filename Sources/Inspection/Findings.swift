package import Wire

/// The findings of one upload, in the order they were met.
///
/// The list is bounded: a body of ten thousand broken lines leaves one finding of each code for
/// each part, and at most `maximumCount` in all, so that no record can grow with the body.
package struct Findings: Sendable {
    package static let maximumCount = 32

    package private(set) var all: [Finding] = []

    /// The first finding that blocks under the policy: the verdict, once there is one.
    package private(set) var firstBlock: Finding?

    /// True once there is a verdict; asked at every event.
    private(set) var hasBlock = false

    package init() {}

    /// Notes `reason`, unless the same was noted of the same part before; `telling` is a sentence
    /// about what was found in this upload.
    package mutating func note(
        _ reason: some FaultReason,
        at offset: Int,
        in part: Int?,
        as severity: Severity,
        telling: String? = nil
    ) {
        let explanation = reason.explanation + (telling.map { " " + $0 } ?? "")
        note(
            Finding(
                code: reason.rawValue,
                severity: severity,
                detail: ParserFamilies.detail(explanation, of: reason.rawValue),
                offset: offset,
                part: part,
                reference: reason.reference
            )
        )
    }

    package mutating func note(_ finding: Finding) {
        if finding.severity == .block, firstBlock == nil {
            firstBlock = finding
            hasBlock = true
            // The verdict is always listed, in the place of the last where the list is full.
            if all.count == Self.maximumCount { all.removeLast() }
            all.append(finding)
            return
        }
        guard all.count < Self.maximumCount else { return }
        let isKnown = all.contains { $0.code == finding.code && $0.part == finding.part }
        if !isKnown { all.append(finding) }
    }
}
