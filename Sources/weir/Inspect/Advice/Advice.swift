/// What a finding probably means on the client's side, and how to mend it there.
///
/// A finding says what is wrong with the bytes; whoever wrote the client asks where they come from.
package struct Advice: Equatable, Sendable {
    package let code: String

    /// What in the client makes such bytes, as a rule.
    package let cause: String

    /// What to change.
    package let remedy: String

    init(_ code: String, cause: String, remedy: String) {
        self.code = code
        self.cause = cause
        self.remedy = remedy
    }

    /// All there is, at most once for each code.
    package static let all = framing + parts + contract + request

    package static func advice(for code: String) -> Advice? {
        all.first { $0.code == code }
    }
}
