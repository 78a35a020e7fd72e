internal import HTTP1

/// Writes the request head that goes to the upstream: anew, in one dialect, from the parsed head.
///
/// Fields keep their order, their duplicates and their raw values. Hop-by-hop fields (RFC 9110
/// §7.6.1) stay behind. What says where the request comes from is said by this proxy alone:
/// Forwarded and X-Forwarded fields of a client are anyone's to invent, so they are replaced.
struct RequestForwarding {
    let request: RequestHead

    /// How the body is framed upstream; not necessarily as the client framed it.
    let framing: BodyFraming

    /// The client's address, as text without a port.
    let clientAddress: String

    let requestID: String

    /// Whether the upstream is asked for a 100 (Continue) of its own.
    let keepsExpectation: Bool

    func head() -> [UInt8] {
        var writer = HeadWriter()
        writer.requestLine(of: request)
        writer.field(name: "Host", value: host)
        let hops = HopByHop(fields: request.fields)
        for line in request.fields.lines where forwards(line, hops) {
            if line.known == .maxForwards, let maxForwards = request.maxForwards {
                writer.field(name: "Max-Forwards", value: max(0, maxForwards - 1))
            } else {
                writer.field(copying: line, of: request.fields)
            }
        }
        writer.field(name: "Via", value: request.minorVersion == 0 ? "1.0 weir" : "1.1 weir")
        writer.field(name: "Forwarded", value: forwarded)
        writer.field(name: "X-Forwarded-For", value: clientAddress)
        if !host.isEmpty { writer.field(name: "X-Forwarded-Host", value: host) }
        writer.field(name: "X-Forwarded-Proto", value: "http")
        if request.fields.count(of: .xRequestID) == 0 {
            writer.field(name: "X-Request-Id", value: requestID)
        }
        writer.framing(framing)
        writer.finish()
        return writer.bytes
    }

    private func forwards(_ line: FieldLine, _ hops: HopByHop) -> Bool {
        switch line.known {
        case .forwarded, .xForwardedFor, .xForwardedHost, .xForwardedProto:
            false
        case .expect:
            keepsExpectation
        default:
            hops.forwards(line)
        }
    }

    /// RFC 7239 §4: an IPv6 address is quoted and in brackets; a client on a Unix socket is unknown.
    private var forwarded: String {
        let node =
            clientAddress.isEmpty
            ? "unknown" : clientAddress.contains(":") ? "\"[\(clientAddress)]\"" : clientAddress
        return "for=\(node)\(host.isEmpty ? "" : ";host=\"\(host)\"");proto=http"
    }

    private var host: String { request.host ?? "" }
}

extension HeadWriter {
    /// The field that frames a body, if it has one that needs saying.
    mutating func framing(_ framing: BodyFraming) {
        switch framing {
        case .none, .untilClose: break
        case .length(let length): field(name: "Content-Length", value: length)
        case .chunked: field(name: "Transfer-Encoding", value: "chunked")
        }
    }
}
