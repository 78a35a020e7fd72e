internal import HTTP1
internal import Transport

/// Where a request comes from: what is seen on the connection, and what a trusted peer says.
///
/// The peer's word counts if its address is in a trusted network; then so does the word of the
/// proxy before it, if that one is trusted too, and so on: the client is the first address from
/// the right that is not trusted. Where a trusted proxy names nobody, or what it says is malformed,
/// the client is the last address that is known: that proxy's.
///
/// Proxies that know one of X-Forwarded-For and Forwarded pass the other on as the client has
/// invented it. Where both are there, X-Forwarded-For holds, which all know, and Forwarded is
/// kept only if it names the same nodes; otherwise it is written anew.
struct RequestOrigin {
    /// The client's address without port; nil on a Unix socket.
    let client: String?

    let isTrusted: Bool

    /// The elements of Forwarded before this proxy's own, and this one's.
    private let elements: [ForwardedElement]
    private let peer: String?
    private let request: RequestHead

    /// The host that the client asked for, if somebody trusted has told another than the request.
    private let toldHost: String?

    /// The scheme that the client used, as far as known.
    let scheme: String

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - request: What is to be judged.
    ///   - peer: Who has sent it.
    ///   - ip: Its address as text; nil on a Unix socket.
    ///   - trusted: The networks of those who are believed.
    init(of request: RequestHead, from peer: SocketAddress, ip: String?, trusted: [Network]) {
        let fields = request.fields
        self.request = request
        self.peer = ip
        isTrusted = !trusted.isEmpty && trusted.contain(peer)
        guard isTrusted else {
            client = ip
            elements = []
            toldHost = nil
            scheme = "http"
            return
        }
        elements = Self.elements(of: fields)
        var client = ip
        var told: ForwardedElement?
        for element in elements.reversed() {
            told = element
            guard case .address(let text) = element.node,
                let address = SocketAddress(ip: text, port: 0)
            else { break }
            client = address.ip
            guard trusted.contain(address) else { break }
        }
        self.client = client
        toldHost = fields.forwardedHost ?? told?.host
        scheme = fields.forwardedScheme ?? told?.scheme ?? "http"
    }

    private static func elements(of fields: FieldSection) -> [ForwardedElement] {
        let old = ForwardedChain(xForwardedFor: fields)
        let new = ForwardedChain(forwarded: fields)
        if !old.isPresent { return new.elements }
        return old.nodes == new.nodes ? new.elements : old.elements
    }

    // MARK: What is said to the upstream

    /// Writes it all.
    func write(to writer: inout HeadWriter) {
        writer.field(name: "Forwarded") { writeForwarded(to: &$0) }
        writer.field(name: "X-Forwarded-For") { writeForwardedFor(to: &$0) }
        if let toldHost {
            if !toldHost.isEmpty { writer.field(name: "X-Forwarded-Host", value: toldHost) }
        } else if let authority = request.authority, !authority.isEmpty {
            writer.field(name: "X-Forwarded-Host", copying: authority, of: request.fields)
        }
        writer.field(name: "X-Forwarded-Proto", value: scheme)
        if let client { writer.field(name: "X-Real-IP", value: client) }
    }

    /// Forwarded: the elements that are believed, and who has sent the request to this proxy.
    private func writeForwarded(to writer: inout HeadWriter) {
        for element in elements {
            writer.piece(Self.text(of: element))
            writer.piece(known: ", ")
        }
        writer.piece(known: "for=")
        writer.piece(Self.node(peer))
        if let authority = request.authority, !authority.isEmpty {
            writer.piece(known: ";host=\"")
            writer.piece(copying: authority, of: request.fields)
            writer.piece(known: "\"")
        }
        writer.piece(known: ";proto=http")
    }

    /// X-Forwarded-For: the same nodes, without ports.
    private func writeForwardedFor(to writer: inout HeadWriter) {
        for element in elements {
            writer.piece(element.node.plainText)
            writer.piece(known: ", ")
        }
        writer.piece(peer ?? "unknown")
    }

    private static func text(of element: ForwardedElement) -> String {
        guard element.text.isEmpty else { return element.text }
        switch element.node {
        case .address: return "for=\(node(element.node.plainText))"
        case .unknown: return "for=unknown"
        case .obfuscated(let name): return "for=\(name)"
        }
    }

    /// RFC 7239 §4: an IPv6 address is quoted and in brackets; a client on a Unix socket is unknown.
    private static func node(_ address: String?) -> String {
        guard let address else { return "unknown" }
        return address.contains(":") ? "\"[\(address)]\"" : address
    }
}

extension ForwardedChain {
    /// The nodes in one spelling, so that two fields can be compared.
    fileprivate var nodes: [String] { elements.map(\.node.plainText) }
}

extension ForwardedNode {
    /// As X-Forwarded-For writes it; addresses in the form of RFC 5952.
    fileprivate var plainText: String {
        switch self {
        case .address(let text): SocketAddress(ip: text, port: 0)?.ip ?? text
        case .unknown: "unknown"
        case .obfuscated(let name): name
        }
    }
}
