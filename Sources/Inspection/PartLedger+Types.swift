/// What the beginning of a file says against it.
extension PartLedger {
    /// Notes all that there is against a file for the types it may be read as.
    mutating func judge(_ types: SniffedTypes?, of part: PartReport) {
        guard let types else { return }
        if let denied = policy.deniedType(of: types) {
            let telling = "It is \(denied)."
            block(.typeDenied, at: part.contentOffset, in: part.index, telling: telling)
        }
        if !DeclaredType.fits(part.contentType, types.mediaType) {
            mention(.typeMismatch, of: part, telling: "It is \(types.mediaType).")
        }
        if types.isPolyglot {
            let others = types.others.joined(separator: ", ")
            let telling = "It is \(types.mediaType) and \(others)."
            mention(.typePolyglot, of: part, telling: telling)
        }
    }

    /// Notes what is no reason to refuse a file unless the operator says so.
    private mutating func mention(_ reason: PolicyReason, of part: PartReport, telling: String) {
        let usual: Severity = policy.profile == .strict ? .warn : .notice
        let severity = policy.findings[reason.rawValue] ?? usual
        findings.note(
            reason,
            at: part.contentOffset,
            in: part.index,
            as: severity,
            telling: telling
        )
    }
}
