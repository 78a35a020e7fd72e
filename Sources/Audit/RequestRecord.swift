package import Inspection

/// The record of one request, made when its exchange has ended, however it ended.
package struct RequestRecord: Equatable, Sendable {
    /// What became of the upload.
    package enum Verdict: String, CaseIterable, Sendable {
        /// It was forwarded, whole.
        case allowed
        /// Weir refused it.
        case blocked
        /// It was forwarded, though `enforce` would have refused it.
        case observed
        /// It ended before its end: a peer left, time ran out, or Weir was shut down.
        case aborted
    }

    /// Whose doing it is that the exchange did not end well.
    package enum Blame: String, CaseIterable, Sendable {
        case client, upstream, proxy, none
    }

    /// How the length of the request's body was announced.
    package enum Framing: String, CaseIterable, Sendable {
        /// There is no body.
        case none
        /// By Content-Length.
        case length
        /// By the chunked transfer coding.
        case chunked
    }

    /// How many parts there were.
    package struct Parts: Equatable, Sendable {
        package var total: Int
        package var files: Int

        /// Parts of which every byte may have reached the upstream.
        package var committed: Int

        package init(total: Int = 0, files: Int = 0, committed: Int = 0) {
            self.total = total
            self.files = files
            self.committed = committed
        }
    }

    /// Where the time went.
    package struct Timing: Equatable, Sendable {
        /// Time in which Weir was ready to read, and the client sent nothing.
        package var clientWaitNanoseconds: UInt64

        /// Time in which Weir had something for the upstream, and it took nothing.
        package var upstreamWaitNanoseconds: UInt64

        /// Time it took to connect to the upstream; nil where no connection was made.
        package var connectNanoseconds: UInt64?

        package init(
            clientWaitNanoseconds: UInt64 = 0,
            upstreamWaitNanoseconds: UInt64 = 0,
            connectNanoseconds: UInt64? = nil
        ) {
            self.clientWaitNanoseconds = clientWaitNanoseconds
            self.upstreamWaitNanoseconds = upstreamWaitNanoseconds
            self.connectNanoseconds = connectNanoseconds
        }
    }

    /// SHA-256 of the body as received and as forwarded, in lower-case hexadecimal.
    package struct Fidelity: Equatable, Sendable {
        package var received: String
        package var forwarded: String

        package init(received: String, forwarded: String) {
            self.received = received
            self.forwarded = forwarded
        }
    }

    package var identity: ExchangeIdentity

    /// When the request began, on the wall clock, since 1970.
    package var timestampNanoseconds: Int64

    /// From the request's first byte to the end of the exchange.
    package var durationNanoseconds: UInt64 = 0

    /// Nil where the head was not even read this far.
    package var method: String?

    /// The request-target as sent.
    package var target: String?
    package var path: String?
    package var query: String?

    /// As ECS writes it: `1.1`.
    package var httpVersion: String?
    package var userAgent: String?

    /// Bytes of the request on the wire: head and body, with its framing.
    package var requestBytes = 0

    /// Bytes of the body, without its framing.
    package var bodyBytes = 0

    /// Status code of the answer the client got, or nil if it got none.
    package var status: Int?

    /// Bytes of that answer on the wire.
    package var responseBytes = 0

    /// The upstream, or nil where none was asked.
    package var destinationAddress: String?

    /// Bytes sent to the upstream.
    package var destinationBytes = 0

    package var mode = Mode.enforce
    package var profile = Profile.balanced

    /// The route it took, or nil where it took none.
    package var route: String?
    package var verdict = Verdict.allowed

    /// The finding for which `enforce` would have refused the upload, in a mode that does not.
    package var wouldBlock: Finding?

    /// The finding for which `strict` would have refused an upload that the profile in force did
    /// not.
    package var wouldBlockStrict: Finding?

    package var termination = Termination.normal
    package var blame = Blame.none
    package var framing = Framing.none

    /// What Content-Length said, or nil.
    package var declaredBytes: Int?

    /// Bytes of the body, without framing, that were read and that were sent on.
    package var receivedBytes = 0
    package var forwardedBytes = 0

    /// What the request says of a resumable upload.
    package var resumable = ResumableFields()

    /// What passed after a switch of protocols, or nil.
    package var tunnel: TunnelReport?

    package var parts = Parts()
    package var timing = Timing()

    /// In the order they were found; a rendering shows the first `maximumFindings` of them.
    package var findings: [Finding] = []
    package var fidelity: Fidelity?

    /// How many findings one record shows.
    package static let maximumFindings = 32

    package init(identity: ExchangeIdentity, timestampNanoseconds: Int64) {
        self.identity = identity
        self.timestampNanoseconds = timestampNanoseconds
    }

    /// The finding that decided, or in `observe` would have decided, against the upload.
    package var decisiveFinding: Finding? {
        findings.first { $0.severity == .block } ?? wouldBlock
    }

    /// True if somebody should look: it was refused, or would have been.
    package var isAlert: Bool { verdict == .blocked || wouldBlock != nil }
}
