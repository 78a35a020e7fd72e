internal import Multipart

/// Everything that is recorded of one part: names, sizes, hashes and offsets, never content.
package struct PartReport: Equatable, Sendable {
    package enum Kind: String, Sendable {
        /// A form field: a part without a filename.
        case field
        /// A file: a part with a filename, any part of a multipart body that is no form, or a body
        /// that is not multipart at all.
        case file
    }

    /// How the part ended.
    package enum State: String, Sendable {
        /// Its end was seen and accepted.
        case complete
        /// The body ended, or was found malformed, inside the part.
        case truncated
        /// The part itself was refused.
        case rejected
        /// The exchange ended inside the part: a peer left, or time ran out.
        case aborted
    }

    package var index: Int

    /// The index of the part this one is a part of, or nil.
    package var parent: Int?

    package var kind: Kind
    package var state: State

    /// As sent: nothing percent-decoded, bytes that are not UTF-8 shown as U+FFFD.
    package var name: String?
    package var filename: String?

    /// The media type the part declares, or nil.
    package var contentType: String?

    /// The media type the content begins like; nil for a field, and where nobody looked.
    package var sniffedType: String?

    /// How many header fields the part has.
    package var headerCount: Int

    /// Offsets in the body of the first byte of the part's header block, the first byte of its
    /// content, and the byte after its content.
    package var headOffset: Int
    package var contentOffset: Int
    package var endOffset: Int

    /// Digests of the content, in a fixed order.
    package var digests: [PartDigest]

    /// True once every byte of the part may have reached the upstream.
    package var isCommitted: Bool

    /// Nanoseconds from the part's first header byte to its end, on the exchange's clock.
    package var durationNanoseconds: UInt64

    package var size: Int { endOffset - contentOffset }

    package init(
        index: Int,
        kind: Kind,
        state: State,
        name: String? = nil,
        filename: String? = nil,
        contentType: String? = nil,
        headerCount: Int = 0,
        headOffset: Int,
        contentOffset: Int,
        endOffset: Int,
        digests: [PartDigest] = [],
        isCommitted: Bool = false,
        durationNanoseconds: UInt64 = 0
    ) {
        self.index = index
        self.kind = kind
        self.state = state
        self.name = name
        self.filename = filename
        self.contentType = contentType
        self.headerCount = headerCount
        self.headOffset = headOffset
        self.contentOffset = contentOffset
        self.endOffset = endOffset
        self.digests = digests
        self.isCommitted = isCommitted
        self.durationNanoseconds = durationNanoseconds
    }
}

extension PartReport {
    /// What the header block says of a part.
    init(_ head: PartHead, index: Int, isForm: Bool) {
        self.init(
            index: index,
            kind: head.isFile || !isForm ? .file : .field,
            state: .truncated,
            name: head.name,
            filename: head.filename ?? head.extendedFilename,
            contentType: head.contentType,
            headerCount: head.fieldCount,
            headOffset: head.headOffset,
            contentOffset: head.contentOffset,
            endOffset: head.contentOffset
        )
    }
}
