/// Receives what a `MultipartParser` finds, in the order of the body.
///
/// For each part: `headBegins`, then facts about its header block, `partBegins`, then `content`
/// any number of times, and `partEnds`. A part whose header block or end never comes is one that
/// the body did not finish. Facts about the delimiter that ends a part come before its `partEnds`.
public protocol MultipartSink: ~Copyable {
    /// A delimiter line is complete: the header block of the next part begins at `offset`.
    mutating func headBegins(at offset: Int)

    /// The header block of a part is complete.
    mutating func partBegins(_ head: PartHead)

    /// The next content of the open part.
    ///
    /// The span is only valid during the call: hash it, forward it or copy it, but don't keep it.
    /// It is never empty. Bytes that might have begun a delimiter come from a constant, so a span
    /// does not always lie in the bytes that were lent to the parser.
    mutating func content(_ bytes: Span<UInt8>)

    /// The delimiter that ends the open part is complete.
    ///
    /// - Parameter offset: The offset of the byte after the content, where the delimiter begins.
    mutating func partEnds(at offset: Int)

    /// An oddity that can be read past.
    mutating func found(_ reason: MultipartReason, at offset: Int)

    /// Asked after every event: true makes `consume` return early.
    ///
    /// No event follows, and the parser must not be used again.
    var isStopped: Bool { get }
}

extension MultipartSink where Self: ~Copyable {
    public mutating func headBegins(at offset: Int) {}
}
