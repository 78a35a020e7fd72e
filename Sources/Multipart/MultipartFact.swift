public import Wire

/// Where a body or a Content-Type stopped being readable.
public typealias MultipartFault = Fault<MultipartReason>

/// One oddity that can be read past: what it is, and where.
public struct MultipartFact: Equatable, Sendable {
    public let reason: MultipartReason

    /// The offset of the first offending byte, as the reason documents.
    public let offset: Int

    public init(_ reason: MultipartReason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}
