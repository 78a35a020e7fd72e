/// How the end of a message's body is found (RFC 9112 §6.3).
package enum BodyFraming: Equatable, Sendable {
    /// The message ends with its head.
    case none
    /// The body has exactly this many bytes.
    case length(Int)
    /// The body has the chunked transfer coding.
    case chunked
    /// The body ends with the connection; responses only.
    case untilClose

    /// True if bytes may follow the head.
    package var hasContent: Bool {
        switch self {
        case .none: false
        case .length(let count): count > 0
        case .chunked, .untilClose: true
        }
    }
}
