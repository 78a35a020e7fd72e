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
///
/// A preamble or an epilogue that the operator lets pass may be longer than anything that can be
/// withheld. Such a preamble leaves as it comes; with such an epilogue the close-delimiter leaves
/// too, and only the end of the message is withheld, as of a body nobody parses.
struct ReleaseGate: Sendable {
    private let holdBytes: Int
    private let declaredLength: Int?
    private let mostWithheld: Int
    let isMultipart: Bool

    init(policy: SharedPolicy, declaredLength: Int?, isMultipart: Bool) {
        holdBytes = policy.limits.holdBytes
        self.declaredLength = declaredLength
        mostWithheld = policy.mostWithheld
        self.isMultipart = isMultipart
    }

    /// How much may be released.
    ///
    /// - Parameters:
    ///   - received: How much of the body has come.
    ///   - settled: The first byte that what comes later may make something else.
    ///   - isInEpilogue: The close-delimiter is complete.
    ///   - smallPart: Where the outermost open part begins that is no larger than `holdBytes`.
    ///   - hasFirstPart: The header block of the first part has passed.
    ///   - isFinished: The message is accepted.
    /// - Returns: The offset of the first byte that has to wait.
    func releasedOffset(
        received: Int,
        settled: Int,
        isInEpilogue: Bool,
        smallPart: Int?,
        hasFirstPart: Bool,
        isFinished: Bool
    ) -> Int {
        if isFinished || !isMultipart { return received }
        if received <= holdBytes, declaredLength ?? 0 <= holdBytes { return 0 }
        if !hasFirstPart { return received <= mostWithheld ? 0 : settled }
        if isInEpilogue, received - settled > mostWithheld { return received }
        return min(settled, smallPart ?? settled)
    }
}
