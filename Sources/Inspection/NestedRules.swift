internal import Digest
internal import Multipart

/// How the parts within a part are read.
struct NestedRules: Sendable {
    /// How many levels of parts within these parts are looked into.
    var depth: Int

    let limits: MultipartLimits

    /// What is computed of each part.
    let digests: [DigestAlgorithm]

    /// Whether the beginning of each file is looked at.
    let sniffs: Bool

    init(_ policy: InspectionPolicy) {
        depth = policy.nestedDepth
        limits = policy.limits.multipart
        digests = policy.computedDigests
        sniffs = policy.sniffs || policy.refusesByType
    }

    /// The rules for what lies within the parts of these.
    var inner: NestedRules {
        var inner = self
        inner.depth = max(0, depth - 1)
        return inner
    }
}
