/// Who is told the digests of the parts of an upload that is accepted.
package enum PartDigestDelivery: String, CaseIterable, Sendable {
    case off
    /// The upstream, in the trailer of the request.
    case trailer
    /// The client, in the head of the answer.
    case answer
    case both

    package var reachesUpstream: Bool {
        switch self {
        case .trailer, .both: true
        case .off, .answer: false
        }
    }

    package var reachesClient: Bool {
        switch self {
        case .answer, .both: true
        case .off, .trailer: false
        }
    }
}
