/// What a contract says against the upload.
extension PartLedger {
    /// Gate G5: holds the whole form against what the contract requires.
    ///
    /// One finding names all that is missing, up to eight.
    mutating func holdAgainstContract() {
        guard !isStopped, let course, case let missing = course.missing, !missing.isEmpty else {
            return
        }
        let reason = PolicyReason.contractMissingField
        let names = missing.prefix(8).joined(separator: ", ") + (missing.count > 8 ? ", …" : "")
        findings.note(
            Finding(
                code: reason.rawValue,
                severity: policy.findings[reason.rawValue] ?? .block,
                detail: "\(reason.explanation) Missing: \(names).",
                offset: course.lastEnd,
                reference: reason.reference
            )
        )
    }
}
