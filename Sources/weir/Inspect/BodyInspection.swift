internal import HTTP1
internal import Inspection
internal import Proxy
internal import Wire

/// A body on its way through the inspector.
struct BodyInspection: ~Copyable {
    private var inspector: UploadInspector
    private let digests: RequestDigests?
    private(set) var parts: [PartReport] = []
    private(set) var byteCount = 0

    /// How many findings have had their bytes kept.
    private var findingsKept = 0
    private(set) var tail: ByteTail?

    init(
        contentTypes: [ArraySlice<UInt8>],
        declaredLength: Int?,
        digests: RequestDigests?,
        settings: CommandSettings,
        keepsTail: Bool
    ) {
        // What would be blocked is the question, whatever the mode says is done about it.
        var policy = settings.proxy.policy
        policy.mode = .enforce
        self.digests = digests
        inspector = UploadInspector(
            contentType: contentTypes,
            declaredLength: declaredLength,
            digestFields: digests?.fields ?? [],
            announcedDigests: digests?.announced ?? [],
            policy: policy,
            continuesAfterBlock: true
        )
        tail = keepsTail ? ByteTail() : nil
    }

    var findings: [Finding] { inspector.findings }

    mutating func consume(_ bytes: Span<UInt8>) {
        byteCount += bytes.count
        tail?.append(bytes)
        inspector.consume(bytes)
        collect()
    }

    /// The body is complete; its trailer section may state digests.
    mutating func finish(trailers: FieldSection? = nil) {
        inspector.finish(digestTrailers: digests?.fields(ofTrailer: trailers) ?? [])
        parts += inspector.takeClosedParts(everything: true)
        collect()
    }

    /// The request around the body broke inside it.
    mutating func abort() {
        inspector.abort()
        parts += inspector.takeClosedParts(everything: true)
        collect()
    }

    private mutating func collect() {
        parts += inspector.takeClosedParts()
        guard tail != nil else { return }
        for finding in inspector.findings.dropFirst(findingsKept) {
            tail?.keep(around: finding.offset)
            findingsKept += 1
        }
    }
}
