internal import HTTP1
internal import Inspection

/// Writes the request head that goes to the upstream: anew, in one dialect, from the parsed head.
///
/// Fields keep their order, their duplicates and their raw values. Hop-by-hop fields (RFC 9110
/// §7.6.1) stay behind. What says where the request comes from is said by this proxy alone, as
/// `RequestOrigin` knows it: such fields of a client are anyone's to invent.
struct RequestForwarding {
    let request: RequestHead

    /// How the body is framed upstream; not necessarily as the client framed it.
    let framing: BodyFraming

    let origin: RequestOrigin
    let names: RequestNames

    /// The protocol that the upstream may switch to, or nil.
    let upgrade: String?

    /// Whether the upstream is asked for a 100 (Continue) of its own.
    let keepsExpectation: Bool

    /// Who is told the digests of parts.
    var partDigests = PartDigestDelivery.off

    /// Whether the upstream is, in the trailer of this request.
    var announcesPartDigests = false

    func head() -> [UInt8] {
        var writer = HeadWriter(capacity: request.byteCount + 512)
        writer.requestLine(of: request)
        writer.field(name: "Host") { piece(ofHost: &$0) }
        let hops = HopByHop(fields: request.fields)
        for line in request.fields.lines where forwards(line, hops) {
            if line.known == .maxForwards, let maxForwards = request.maxForwards {
                writer.field(name: "Max-Forwards", value: max(0, maxForwards - 1))
            } else {
                writer.field(copying: line, of: request.fields)
            }
        }
        writer.field(name: "Via", value: request.minorVersion == 0 ? "1.0 weir" : "1.1 weir")
        origin.write(to: &writer)
        writer.field(name: "X-Request-Id", value: names.requestID)
        if !names.keepsTrace { writer.field(name: "traceparent", value: names.trace.text) }
        writer.framing(framing)
        if announcesPartDigests {
            writer.field(name: "Trailer") { $0.piece(known: PartDigestField.name) }
        }
        if let upgrade { writer.upgrade(to: upgrade) }
        writer.finish()
        return writer.bytes
    }

    private func forwards(_ line: FieldLine, _ hops: HopByHop) -> Bool {
        switch line.known {
        case .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto, .xRealIP, .xRequestID:
            false
        case .traceparent, .tracestate:
            names.keepsTrace
        case .other:
            !request.fields.claimsOrigin(line, isTrusted: origin.isTrusted)
                && !(partDigests != .off && PartDigestField.isNamed(line, in: request.fields))
                && hops.forwards(line)
        case .expect:
            keepsExpectation
        default:
            hops.forwards(line)
        }
    }

    private func piece(ofHost writer: inout HeadWriter) {
        guard let authority = request.authority else { return }
        writer.piece(copying: authority, of: request.fields)
    }
}

extension HeadWriter {
    /// Says to the next hop that the connection may switch, or does (RFC 9110 §7.8).
    mutating func upgrade(to name: String) {
        field(name: "Connection", value: "Upgrade")
        field(name: "Upgrade", value: name)
    }

    /// The field that frames a body, if it has one that needs saying.
    mutating func framing(_ framing: BodyFraming) {
        switch framing {
        case .none, .untilClose: break
        case .length(let length): field(name: "Content-Length", value: length)
        case .chunked: field(name: "Transfer-Encoding", value: "chunked")
        }
    }
}
