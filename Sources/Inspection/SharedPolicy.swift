internal import Digest

/// The policy of uploads, for all who ask it.
///
/// A policy is large and full of references: to copy it takes longer than to read a small upload.
package final class SharedPolicy: Sendable {
    package let policy: InspectionPolicy

    /// What follows from the policy is asked of each body, or of each part.
    let limits: InspectionLimits
    let refusesByType: Bool
    let tellsPartDigests: Bool
    let nestedRules: NestedRules

    /// Nothing made yet, of the digests that are made of each part.
    let noDigests: DigestSet
    let mostWithheld: Int

    package init(_ policy: InspectionPolicy) {
        self.policy = policy
        limits = policy.limits
        refusesByType = policy.refusesByType
        tellsPartDigests = policy.tellsPartDigests
        nestedRules = NestedRules(policy)
        noDigests = DigestSet(policy.computedDigests)
        mostWithheld = Self.mostWithheld(under: policy)
    }

    /// The largest header block, and behind it content that waits: a part of `holdBytes`, or the
    /// beginning of a file that tells its type; then, on each level of parts within parts, the
    /// delimiter that may end there, with as much padding as a line may have.
    static func mostWithheld(under policy: InspectionPolicy) -> Int {
        let limits = policy.limits
        let delimiterLine = limits.boundaryBytes + 8 + limits.partHeaderLineBytes
        let content = max(limits.holdBytes, SniffBuffer.capacity)
        let lines = Array(repeating: delimiterLine, count: policy.nestedDepth + 2)
        return ([limits.partHeaderBytes] + lines).reduce(content) {
            let (sum, overflow) = $0.addingReportingOverflow($1)
            return overflow ? Int.max : sum
        }
    }
}
