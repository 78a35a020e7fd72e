internal import HTTP1

/// What Weir answers to OPTIONS in the upstream's place, because `Max-Forwards: 0` names it as the
/// last to be asked (RFC 9110 §7.6.2).
struct OptionsAnswer {
    /// What a request through this proxy may do; which of it a resource allows, its server knows.
    static let allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    func answer(closes: Bool, isOldClient: Bool) -> [UInt8] {
        var head = HeadWriter()
        head.statusLine(200)
        head.field(name: "Allow", value: Self.allowedMethods)
        head.field(name: "Content-Length", value: 0)
        if closes {
            head.field(name: "Connection", value: "close")
        } else if isOldClient {
            head.field(name: "Connection", value: "keep-alive")
        }
        head.finish()
        return head.bytes
    }
}
