internal import HTTP1

/// Writes the response head that goes to the client: anew, from the upstream's parsed head.
struct ResponseForwarding {
    let response: ResponseHead

    /// How the body is framed towards the client.
    let framing: BodyFraming

    /// The client's HTTP/1 minor version.
    let clientMinorVersion: Int

    /// The client's connection ends after this response.
    let closes: Bool

    /// Whether the client is told the digests of parts; the upstream then tells it none.
    var tellsPartDigests = false

    /// Those digests, if there are any.
    var partDigests: String?

    init(response: ResponseHead, to request: RequestHead, closes: Bool) {
        self.response = response
        clientMinorVersion = request.minorVersion
        // HTTP/1.0 knows no chunks: there the end of the connection is the end of the body.
        let isUnchunkable = response.framing == .chunked && request.minorVersion == 0
        framing = isUnchunkable ? .untilClose : response.framing
        self.closes = closes || framing == .untilClose
    }

    func head() -> [UInt8] {
        var writer = HeadWriter(capacity: response.byteCount + 128)
        writer.statusLine(of: response)
        let hops = HopByHop(fields: response.fields)
        for line in response.fields.lines where hops.forwards(line) {
            if tellsPartDigests, PartDigestField.isNamed(line, in: response.fields) { continue }
            writer.field(copying: line, of: response.fields)
        }
        writer.field(name: "Via", value: "1.1 weir")
        if response.isSwitchingProtocols {
            writer.upgrade(to: response.upgrade ?? "")
        } else if !response.isInterim {
            if let partDigests { writer.field(name: PartDigestField.name, value: partDigests) }
            if framing != .none {
                writer.framing(framing)
            } else if let length = response.declaredLength {
                // HEAD and 304 describe a body that is not sent.
                writer.field(name: "Content-Length", value: length)
            }
            if closes {
                writer.field(name: "Connection", value: "close")
            } else if clientMinorVersion == 0 {
                writer.field(name: "Connection", value: "keep-alive")
            }
        }
        writer.finish()
        return writer.bytes
    }
}
