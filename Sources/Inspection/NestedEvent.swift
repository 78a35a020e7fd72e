internal import Digest
internal import Multipart

/// What happens in a part that is itself multipart, with offsets in the whole body.
enum NestedEvent: Sendable {
    /// An oddity, or the fault that ends the reading of this part.
    case found(MultipartReason, at: Int, isForm: Bool, isFault: Bool)
    case headBegins
    /// The report has no index yet: whoever counts all the parts of a body gives it one.
    case partBegins(PartReport, DigestClaims)
    /// What the open file begins like is known, as far as it ever will be; nil for an empty one.
    case sniffed(SniffedTypes?)
    case partEnds(endOffset: Int, digests: Digests, keepsClaims: Bool, state: PartReport.State)
}
