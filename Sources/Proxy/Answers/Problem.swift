internal import Audit
internal import HTTP1
internal import Inspection
internal import Wire

/// An answer Weir makes itself: a problem document of RFC 9457 with a Proxy-Status of RFC 9209.
struct Problem {
    var status: Int
    var code: String
    var detail: String
    var proxyError: String
    var offset: Int?
    var part: Int?

    /// What the upload was found to be, where a finding is the reason.
    var finding: Finding?

    /// The proxy's own state is the reason, not what a peer did.
    var blamesProxy: Bool { status == 503 }

    /// A refusal under the inspection policy.
    init(_ finding: Finding) {
        self.init(
            status: AnswerStatus.status(of: finding.code),
            code: finding.code,
            detail: finding.detail,
            proxyError: "http_request_denied"
        )
        offset = finding.offset
        part = finding.part
        self.finding = finding
    }

    /// A refusal of the request's framing.
    init(_ fault: Fault<HTTPReason>) {
        self.init(
            status: fault.reason.status,
            code: fault.reason.rawValue,
            detail: fault.reason.explanation,
            proxyError: "http_request_error"
        )
        offset = fault.offset
        finding = Finding(fault)
    }

    /// A connection that does not begin as it has to; nobody is answered.
    init(_ fault: ProxyHeaderFault) {
        self.init(
            status: 400,
            code: fault.reason.rawValue,
            detail: fault.reason.explanation,
            proxyError: "http_request_error"
        )
        offset = fault.offset
        finding = Finding(
            code: fault.reason.rawValue,
            severity: .block,
            detail: fault.reason.explanation,
            offset: fault.offset,
            reference: fault.reason.reference
        )
    }

    /// A failure of one of the peers, or of time.
    init(_ reason: ProxyReason, at offset: Int? = nil) {
        self.init(
            status: reason.status,
            code: reason.rawValue,
            detail: reason.explanation,
            proxyError: reason.proxyError
        )
        self.offset = offset
        finding = Finding(
            code: reason.rawValue,
            severity: .block,
            detail: reason.explanation,
            offset: offset ?? 0,
            reference: reason.reference
        )
    }

    private init(status: Int, code: String, detail: String, proxyError: String) {
        self.status = status
        self.code = code
        self.detail = detail
        self.proxyError = proxyError
    }

    /// The whole answer, head and document.
    ///
    /// - Parameters:
    ///   - requestID: What `instance` names.
    ///   - isHead: The request was HEAD, so the document is announced but not sent.
    ///   - closes: The connection ends after this answer.
    /// - Returns: The bytes to write.
    func answer(requestID: String, isHead: Bool, closes: Bool) -> [UInt8] {
        let document = document(requestID: requestID)
        var head = HeadWriter()
        head.statusLine(status)
        head.field(name: "Content-Type", value: "application/problem+json")
        head.field(name: "Content-Length", value: document.count)
        head.field(name: "Cache-Control", value: "no-store")
        head.field(name: "Proxy-Status", value: "weir; error=\(proxyError); details=\"\(code)\"")
        if status == 503 || status == 429 { head.field(name: "Retry-After", value: "1") }
        if status == 405 { head.field(name: "Allow", value: OptionsAnswer.allowedMethods) }
        if closes { head.field(name: "Connection", value: "close") }
        head.finish()
        return isHead ? head.bytes : head.bytes + document
    }

    private func document(requestID: String) -> [UInt8] {
        var json = JSONLineWriter()
        json.beginObject()
        json.member("type", "urn:weir:finding:\(code)")
        json.member("title", ReasonPhrase.text(for: status))
        json.member("status", status)
        json.member("detail", detail)
        json.member("instance", "urn:uuid:\(requestID)")
        json.member("code", code)
        json.member("part", part)
        json.member("offset", offset)
        json.endObject()
        json.endLine()
        return json.finish()
    }
}

extension Finding {
    /// A fault of the request's framing always blocks: nobody can say where the message ends.
    init(_ fault: Fault<HTTPReason>) {
        self.init(
            code: fault.reason.rawValue,
            severity: .block,
            detail: fault.reason.explanation,
            offset: fault.offset,
            reference: fault.reason.reference
        )
    }
}
