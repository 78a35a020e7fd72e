import Wire

/// The head of a response, final or interim.
package struct ResponseHead: Sendable, Equatable {
    /// From 100 to 599.
    package let status: Int

    /// Where the reason phrase stands; it may be empty.
    package let reason: Range<Int>

    /// 0 for HTTP/1.0, 1 for everything from HTTP/1.1 on.
    package let minorVersion: Int

    package let fields: FieldSection

    package let framing: BodyFraming

    /// The Content-Length of a response that may state one, also when no body follows.
    ///
    /// For HEAD and 304 it is the length that another request would get, and may be forwarded. In
    /// 1xx and 204 it must not appear (RFC 9110 §8.6): it is ignored, and is nil here.
    package let declaredLength: Int?

    /// True if the upstream may take another request after this response.
    package let isPersistent: Bool

    /// The protocol that the upstream switches or offers to switch to, in lower case.
    package let upgrade: String?

    init(
        status: Int,
        reason: Range<Int>,
        minorVersion: Int,
        fields: FieldSection,
        method: String
    ) throws(HTTPFault) {
        self.status = status
        self.reason = reason
        self.minorVersion = minorVersion
        self.fields = fields
        let declared = try fields.declaredFraming(minorVersion: minorVersion)
        try fields.checkConnection()

        // RFC 9112 §6.3: these end with their head, whatever their fields say.
        let neverHasLength = status < 200 || status == 204
        let opensTunnel = method == "CONNECT" && (200..<300).contains(status)
        let endsWithHead = neverHasLength || status == 304 || method == "HEAD" || opensTunnel
        framing = endsWithHead ? .none : declared ?? .untilClose
        declaredLength =
            if !neverHasLength, !opensTunnel, case .length(let length) = declared {
                length
            } else {
                nil
            }
        // A body may follow all the same where one was announced that must not be (RFC 9112 §6.1).
        let announcesBody =
            status == 204 && declared != nil && declared != .length(0)
            || status == 304 && declared == .chunked
        isPersistent =
            framing != .untilClose && status != 101 && !opensTunnel && !announcesBody
            && fields.persists(minorVersion: minorVersion)
        upgrade = fields.offeredUpgrade(minorVersion: minorVersion)
    }

    /// True for every 1xx but 101: the final response is still to come (RFC 9110 §15.2).
    package var isInterim: Bool { status < 200 && status != 101 }

    /// True for 101: the connection is no longer HTTP, if a switch was asked for.
    package var isSwitchingProtocols: Bool { status == 101 }

    package var byteCount: Int { fields.bytes.count }

    package var reasonText: String { fields.text(of: reason) }
}
