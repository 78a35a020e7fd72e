import Wire

/// Reads the PROXY header in front of a connection, in either version of the protocol.
///
/// The first byte decides which: `P` of the line, or the CR that version 2 begins with, so that
/// no HTTP server takes it for a request. Input may be cut anywhere. What frames the header is
/// judged byte by byte, what it says once it is whole.
package struct ProxyHeaderParser: Sendable {
    /// What the next byte must be.
    private enum State {
        case start
        case lineStart
        case line
        case lineLF
        case signature
        case fixedPart
        case rest
        case end
    }

    private var state = State.start

    /// The header as received; never longer than `maximumBytes`.
    private var bytes: [UInt8] = []

    /// What it says, once it is complete.
    package private(set) var header: ProxyHeader?

    /// How long version 2 says the header is, known from its 16th byte on.
    private var length = 0

    /// A version 2 header has an address block of at most 216 bytes; all else are extensions,
    /// which say more than anyone here asks for.
    package static let maximumBytes = 4 << 10

    package init() {}

    package var isComplete: Bool { header != nil }

    package var hasBegun: Bool { !bytes.isEmpty }

    /// Consumes `input` up to the end of the header.
    ///
    /// - Returns: How many bytes were consumed. Fewer than `input.count` only when the header is
    ///   complete; the rest belongs to the first request.
    package mutating func consume(_ input: Span<UInt8>) throws(ProxyHeaderFault) -> Int {
        var index = 0
        while index < input.count, !isComplete {
            try step(input[index])
            index += 1
        }
        return index
    }

    private mutating func step(_ byte: UInt8) throws(ProxyHeaderFault) {
        let offset = bytes.count
        bytes.append(byte)
        switch state {
        case .start:
            switch byte {
            case ProxyHeaderLine.signature[0]: state = .lineStart
            case ProxyHeaderBlock.signature[0]: state = .signature
            default: throw ProxyHeaderFault(.missing, at: 0)
            }

        case .lineStart:
            guard byte == ProxyHeaderLine.signature[offset] else {
                throw ProxyHeaderFault(.missing, at: offset)
            }
            if bytes.count == ProxyHeaderLine.signature.count { state = .line }

        case .line:
            // Room for this byte and, if it is no CR, for the CRLF that still has to come.
            let left = ProxyHeaderLine.maximumBytes - bytes.count
            guard left >= (byte == ASCII.CR ? 1 : 2) else {
                throw ProxyHeaderFault(.lineTooLong, at: offset)
            }
            if byte == ASCII.CR {
                state = .lineLF
            } else if byte == ASCII.LF {
                throw ProxyHeaderFault(.lineInvalid, at: offset)
            }

        case .lineLF:
            guard byte == ASCII.LF else { throw ProxyHeaderFault(.lineInvalid, at: offset) }
            state = .end
            header = try ProxyHeaderLine.header(in: bytes.span)

        case .signature:
            guard byte == ProxyHeaderBlock.signature[offset] else {
                throw ProxyHeaderFault(.missing, at: offset)
            }
            if bytes.count == ProxyHeaderBlock.signature.count { state = .fixedPart }

        case .fixedPart:
            guard bytes.count == ProxyHeaderBlock.fixedBytes else { return }
            length = bytes.count + Int(bytes[14]) << 8 + Int(bytes[15])
            guard length <= Self.maximumBytes else {
                throw ProxyHeaderFault(.tooLong, at: 14)
            }
            state = .rest
            try finishBlock()

        case .rest:
            try finishBlock()

        case .end:
            preconditionFailure("consume(_:) stops at the end of the header")
        }
    }

    private mutating func finishBlock() throws(ProxyHeaderFault) {
        guard bytes.count == length else { return }
        state = .end
        header = try ProxyHeaderBlock.header(in: bytes.span)
    }
}
