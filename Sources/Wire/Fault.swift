/// Why, and exactly where, a message stopped being well-formed.
///
/// A fault is a fact about bytes. What to do about it is policy, decided elsewhere.
public struct Fault<Reason: FaultReason>: Error, Equatable {
    public let reason: Reason

    /// The offset of the offending byte, counted from the start of the parser's input.
    public let offset: Int

    public init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// A closed set of reasons.
///
/// The raw value is the code that answers, records and metrics carry, in the form
/// `area.what_is_wrong`. It is API: never renamed, never reused.
public protocol FaultReason: RawRepresentable<String>, CaseIterable, Equatable, Sendable {
    /// One plain sentence: what was found, and what was expected instead.
    var explanation: String { get }

    /// Where the rule stands: an RFC section, or the name of a policy rule.
    var reference: String { get }
}
