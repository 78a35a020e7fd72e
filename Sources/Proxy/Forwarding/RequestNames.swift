internal import HTTP1
internal import Transport

/// By which names a request is known here, before and behind this proxy.
struct RequestNames {
    /// X-Request-Id: the client's if it is sane, or else the exchange's own id.
    let requestID: String

    /// The client's trace, passed on unchanged, or a new one.
    ///
    /// Weir reports no span of its own, so it puts no parent into the trace that nobody would find
    /// (W3C Trace Context §3.4 lets a hop pass the field on).
    let trace: TraceParent

    /// The client's own traceparent is passed on, and so is its tracestate.
    ///
    /// What belongs to an invalid traceparent is not passed on (W3C Trace Context §3.3).
    let keepsTrace: Bool

    init(of fields: FieldSection, exchangeID: String, random: inout RandomBits) {
        requestID = fields.requestID ?? exchangeID
        let received = TraceParent(fields)
        keepsTrace = received != nil
        trace = received ?? .made(from: &random)
    }
}

extension TraceParent {
    fileprivate static func made(from random: inout RandomBits) -> TraceParent {
        let high = UInt128(random.next())
        return TraceParent(
            traceBits: high << 64 | UInt128(random.next()),
            parentBits: random.next()
        )
    }
}
