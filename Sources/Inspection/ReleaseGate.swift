/// How much of an enforced body may go to the upstream, given what has been decided about it.
///
/// The gates of a multipart body, each naming the first byte it withholds:
///
/// - G1: all of it, until the first part's header has passed; and all of a body no larger than
///   `holdBytes` until it is finished, so that a small bad upload never reaches the upstream;
/// - G2: a header block, from its first byte, until all of it has passed;
/// - G3: a part no larger than `holdBytes`, from its header block, until its end has passed;
/// - G4: a delimiter, from its CR, until the part it ends is accepted;
/// - G5: the close-delimiter and what follows, from its CR, until the message is accepted.
///
/// G2, G4 and G5 are the parser's settled offset. Any other body is one part nobody parses: it is
/// forwarded as it comes, and its end (the terminator, or the last bytes of a declared length) is
/// withheld by its being consumed, and judged, before it is released.
struct ReleaseGate: Sendable {
    private let limits: InspectionLimits
    private let declaredLength: Int?
    let isMultipart: Bool

    init(policy: InspectionPolicy, declaredLength: Int?, isMultipart: Bool) {
        limits = policy.limits
        self.declaredLength = declaredLength
        self.isMultipart = isMultipart
    }

    func releasedOffset(
        received: Int,
        settled: Int,
        openPart: PartReport?,
        hasFirstPart: Bool,
        isFinished: Bool
    ) -> Int {
        if isFinished || !isMultipart { return received }
        if received <= limits.holdBytes, declaredLength ?? 0 <= limits.holdBytes { return 0 }
        // A preamble that the policy lets pass may be longer than anything that can be withheld.
        if !hasFirstPart { return received <= Self.mostWithheld(limits) ? 0 : settled }
        guard let openPart, openPart.size <= limits.holdBytes else { return settled }
        return min(settled, openPart.headOffset)
    }

    static func mostWithheld(under policy: InspectionPolicy) -> Int {
        // A file may also have to wait until its beginning tells what it is.
        var limits = policy.limits
        limits.holdBytes = max(limits.holdBytes, SniffBuffer.capacity)
        return mostWithheld(limits)
    }

    /// A part of `holdBytes` with the largest header block, and a delimiter around it.
    private static func mostWithheld(_ limits: InspectionLimits) -> Int {
        let delimiter = limits.boundaryBytes + 8
        return [limits.partHeaderBytes, delimiter, delimiter].reduce(limits.holdBytes) {
            let (sum, overflow) = $0.addingReportingOverflow($1)
            return overflow ? Int.max : sum
        }
    }
}
