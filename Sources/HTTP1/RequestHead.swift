import Wire

/// The head of a request, in which nothing can be read two ways.
package final class RequestHead: Sendable {
    /// The method; case matters (RFC 9110 §9.1).
    package let method: String

    package let target: RequestTarget

    /// 0 for HTTP/1.0, 1 for everything from HTTP/1.1 on.
    package let minorVersion: Int

    package let fields: FieldSection

    package let framing: BodyFraming

    /// True if the client waits for a 100 before it sends a body (RFC 9110 §10.1.1).
    ///
    /// Never in HTTP/1.0, and never without a body to wait for.
    package let expectsContinue: Bool

    /// True if the client may send another request after this one.
    package let isPersistent: Bool

    /// The protocol that the client offers to switch to, in lower case; never h2c.
    package let upgrade: String?

    /// How many proxies the request may still pass; always nil unless it is OPTIONS.
    package let maxForwards: Int?

    /// Where the host and port stand: in the target, or else in the Host field.
    ///
    /// Nil only for HTTP/1.0 without either. The Host that is sent upstream is made from this.
    package let authority: Range<Int>?

    init(
        method methodRange: Range<Int>,
        target targetRange: Range<Int>,
        minorVersion: Int,
        fields: FieldSection
    ) throws(HTTPFault) {
        method = fields.text(of: methodRange)
        target = try RequestTarget(targetRange, of: fields.bytes.span, method: method)
        self.minorVersion = minorVersion
        self.fields = fields
        let host = try Self.host(in: fields, minorVersion: minorVersion)
        authority = target.authority ?? host
        framing = try fields.declaredFraming(minorVersion: minorVersion) ?? .none
        try fields.checkConnection()
        isPersistent = fields.persists(minorVersion: minorVersion)
        upgrade = fields.offeredUpgrade(minorVersion: minorVersion)
        let waits = try Self.expectsContinue(in: fields, minorVersion: minorVersion)
        expectsContinue = waits && framing.hasContent
        maxForwards = try Self.maximumForwards(in: fields, method: method)
    }

    package var isHEAD: Bool { method == "HEAD" }
    package var isCONNECT: Bool { method == "CONNECT" }
    package var isOPTIONS: Bool { method == "OPTIONS" }
    package var isTRACE: Bool { method == "TRACE" }

    /// Why a reverse proxy refuses this request although it is well-formed: it is a CONNECT.
    package var refusal: HTTPFault? {
        isCONNECT ? HTTPFault(.connectRefused, at: target.range.lowerBound) : nil
    }

    /// How many bytes the head has, with its empty line, and the one before it if there was one.
    package var byteCount: Int { fields.bytes.count }

    /// The host and port that the request is for, as sent.
    package var host: String? { authority.map { fields.text(of: $0) } }

    /// The target as sent.
    package var targetText: String { fields.text(of: target.range) }

    package var path: String { fields.text(of: target.path) }

    package var query: String? { target.query.map { fields.text(of: $0) } }

    /// Checks the Host fields: exactly one and valid, but HTTP/1.0 may do without.
    ///
    /// A Host is required and checked even where the target overrides it (RFC 9112 §3.2).
    private static func host(
        in fields: FieldSection,
        minorVersion: Int
    ) throws(HTTPFault) -> Range<Int>? {
        guard let line = fields.firstLine(.host) else {
            if minorVersion == 0 { return nil }
            throw HTTPFault(.hostMissing, at: fields.bytes.count - 2)
        }
        if let second = fields.secondLine(.host) {
            throw HTTPFault(.hostDuplicate, at: second.name.lowerBound)
        }
        let value = fields.bytes.span.extracting(line.value)
        if let offence = HostSyntax.firstOffence(in: value) {
            throw HTTPFault(.hostInvalid, at: line.value.lowerBound + offence)
        }
        return line.value
    }

    /// Reads Expect: `100-continue` and nothing else; HTTP/1.0 has no expectations.
    private static func expectsContinue(
        in fields: FieldSection,
        minorVersion: Int
    ) throws(HTTPFault) -> Bool {
        guard minorVersion >= 1, let line = fields.firstLine(.expect) else { return false }
        if let second = fields.secondLine(.expect) {
            throw HTTPFault(.expectationUnknown, at: second.name.lowerBound)
        }
        guard fields.matches(line.value, "100-continue") else {
            throw HTTPFault(.expectationUnknown, at: line.value.lowerBound)
        }
        return true
    }
}

extension RequestHead: Equatable {
    package static func == (one: RequestHead, other: RequestHead) -> Bool {
        // Everything else follows from these.
        one.method == other.method && one.target == other.target
            && one.minorVersion == other.minorVersion && one.fields == other.fields
            && one.framing == other.framing && one.authority == other.authority
            && one.expectsContinue == other.expectsContinue
            && one.isPersistent == other.isPersistent && one.upgrade == other.upgrade
            && one.maxForwards == other.maxForwards
    }
}
