/// One odd or wrong thing in an upload: what, where, and how much it matters under the policy.
package struct Finding: Equatable, Sendable {
    /// The stable code, `area.what_is_wrong`.
    package let code: String

    package let severity: Severity

    /// One plain sentence: what was found, and what was expected.
    package let detail: String

    /// Byte offset in the body (for `http.` codes of the request head: in the head).
    package let offset: Int

    /// Index of the part it belongs to, or nil where it concerns the whole body.
    package let part: Int?

    /// RFC section or policy rule.
    package let reference: String

    package init(
        code: String,
        severity: Severity,
        detail: String,
        offset: Int,
        part: Int? = nil,
        reference: String
    ) {
        self.code = code
        self.severity = severity
        self.detail = detail
        self.offset = offset
        self.part = part
        self.reference = reference
    }
}

/// How much a finding matters.
///
/// Only `block` changes what happens to an upload.
package enum Severity: String, CaseIterable, Comparable, Sendable {
    case info, notice, warn, block

    package static func < (left: Severity, right: Severity) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .info: 0
        case .notice: 1
        case .warn: 2
        case .block: 3
        }
    }
}
