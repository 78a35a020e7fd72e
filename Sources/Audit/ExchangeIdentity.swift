/// What all records of one exchange share, and are found together by.
package struct ExchangeIdentity: Equatable, Sendable {
    /// The request's own id: a UUID as text, in lower case.
    package let requestID: String

    /// What the request is called upstream: the client's X-Request-Id, or `requestID`.
    package let forwardedID: String

    /// The id of the trace the request belongs to (W3C Trace Context), in hexadecimal, or nil.
    package let traceID: String?

    /// The id of this exchange within its trace; the request's id where there is no other.
    package let transactionID: String

    /// Address and port of the peer on the socket; nil on a Unix socket.
    package let sourceAddress: String?
    package let sourcePort: Int?

    /// Address of the client: the peer's, or what a trusted peer said it is.
    package let clientAddress: String?

    /// The port of the client's own connection, if that is known.
    package let clientPort: Int?

    package init(
        requestID: String,
        forwardedID: String? = nil,
        traceID: String? = nil,
        transactionID: String? = nil,
        sourceAddress: String? = nil,
        sourcePort: Int? = nil,
        clientAddress: String? = nil,
        clientPort: Int? = nil
    ) {
        self.requestID = requestID
        self.forwardedID = forwardedID ?? requestID
        self.traceID = traceID
        self.transactionID = transactionID ?? requestID
        self.sourceAddress = sourceAddress
        self.sourcePort = sourcePort
        self.clientAddress = clientAddress ?? sourceAddress
        self.clientPort = clientPort
    }
}
