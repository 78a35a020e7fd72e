internal import Audit
internal import Digest
internal import HTTP1
internal import Inspection
internal import Transport

/// One request and its answer, from the complete request head to the record of its end.
///
/// The parts of this type follow the bytes: `+Request` reads and inspects the client's body,
/// `+Upstream` carries what is released, `+Response` relays the answer, `+End` ends it all. What
/// may be forwarded is the inspector's decision, what is well-formed the decoders'; the exchange
/// moves bytes, and watches the time.
final class UploadExchange: Exchange, StreamDelegate {
    /// The client's body.
    enum Intake {
        case receiving
        /// All of it was received, and accepted.
        case complete
        /// Nobody reads the rest: it was refused, or answered early.
        case abandoned
    }

    /// The way to the upstream.
    enum Leg {
        case none
        case dialing
        case open
        case gone
    }

    /// How much of the request has left for the upstream.
    enum Departure {
        case nothing
        case begun
        case complete
    }

    /// The answer the client gets.
    enum Answer {
        case awaited
        /// The upstream's, being relayed.
        case relaying
        /// The upstream's, relayed to its end.
        case relayed
        /// One of Weir's own.
        case own
        /// The upstream's 101: both streams pass unread.
        case switched
    }

    /// It holds this exchange as well, and lets go of it when it ends.
    let connection: ClientConnection
    let request: RequestHead
    let rules: ExchangeRules
    let routeAmbiguity: ProxySettings.Ambiguity

    /// Bytes that had been written to the upstream and not arrived when that was last asked.
    var untakenByUpstream = 0
    let origin: RequestOrigin
    let names: RequestNames

    /// The protocol that the upstream may switch to, or nil.
    let upgrade: String?

    /// What has passed since it did.
    var tunnel: Tunnel?
    var log: ExchangeLog

    var intake = Intake.receiving

    /// Bytes at the end of the decoded body that were not inspected yet, and why there are no more.
    var uninspectedCount = 0
    var framingFault: HTTPFault?

    /// It is one of those that its lane hashes two at a time.
    var isPairable = false

    /// More is to come before what has come is inspected.
    var isGathering = false
    var decoder: BodyDecoder
    let digests: RequestDigests
    var inspector: UploadInspector
    var rateWatch: RateWatch
    var clientWait = WaitClock()

    /// The client waits for a 100 (Continue) that is Weir's to send.
    var owesContinue = false

    /// The client waits for a 100 (Continue) that is the upstream's to send.
    var upstreamOwesContinue = false

    /// Reading has stopped until the upstream takes more.
    var isPaused = false

    var leg = Leg.none
    var dial: Dial?
    var upstream: UpstreamConnection?
    var hasRetried = false
    var departure = Departure.nothing
    var toUpstream = Outbox()

    /// How the body goes upstream; not necessarily as it came.
    var framingToUpstream: BodyFraming
    var upstreamWait = WaitClock()

    /// Body bytes handed to the outbox, and whether the end of the body was.
    var loadedOffset = 0
    var isEndLoaded = false

    /// Body bytes that were written to the upstream.
    var forwardedOffset = 0

    var answer = Answer.awaited
    var responseParser = ResponseHeadParser(limits: HeadLimits())
    var response: ResponseHead?
    var responseDecoder = BodyDecoder(.none)
    var framingToClient = BodyFraming.none
    var interimCount = 0
    var keepsClient = false

    /// Set with the record; nothing happens after it.
    var isEnded = false

    var upstreamDeadline: Deadline { connection.upstreamDeadline }

    /// Hashes of the body bytes received and sent, with `fidelity` on.
    var receivedHash: SHA256?
    var sentHash: SHA256?

    /// What the built-in upload API answers with.
    var sinkParts: [PartReport] = []

    var lane: Lane { connection.lane }
    var now: UInt64 { connection.now }

    init(_ request: RequestHead, on connection: ClientConnection) {
        let (routed, ambiguity) = connection.proxyLane.rules(for: request)
        // RFC 9110 §7.6.2: who receives Max-Forwards of 0 is the last to be asked, and answers.
        let rules = request.maxForwards == 0 ? routed.answeredHere() : routed
        self.connection = connection
        self.request = request
        self.rules = rules
        routeAmbiguity = ambiguity
        framingToUpstream = request.framing
        decoder = BodyDecoder(request.framing, limits: rules.settings.bodyLimits)
        digests = RequestDigests(of: request)
        inspector = UploadInspector(
            contentType: request.contentTypes,
            declaredLength: request.framing.declaredLength,
            digestFields: digests.fields,
            announcedDigests: digests.announced,
            policy: request.framing == .none ? rules.unseenPolicy : rules.policy,
            at: connection.now
        )
        rateWatch = RateWatch(minimumBytesPerSecond: rules.settings.minimumRate)
        let requestID = RequestID.make(from: &connection.lane.random)
        origin = RequestOrigin(
            of: request,
            from: connection.peer,
            ip: connection.peerIP,
            trusted: connection.trustedNetworks
        )
        names = RequestNames(
            of: request.fields,
            exchangeID: requestID,
            random: &connection.lane.random
        )
        upgrade = request.allowedUpgrade(under: rules.settings)
        log = ExchangeLog(on: connection, requestID: requestID, client: origin.client, names: names)
        if rules.settings.fidelity, case .upstreams = rules.settings.destination {
            receivedHash = SHA256()
            sentHash = SHA256()
        }
    }

    func begin() {
        if let fault = request.refusal { return answerItself(Problem(fault)) }
        if request.isTRACE { return answerItself(Problem(.traceRefused)) }
        if case .refused = routeAmbiguity { return answerItself(Problem(.routeAmbiguous)) }
        if let finding = inspector.refusal { return refuse(Problem(finding)) }
        guard request.framing != .none else {
            intake = .complete
            forward()
            watchClient()
            return
        }
        // A client that sends without waiting needs no invitation.
        let isWaiting = request.expectsContinue && connection.inboundWindow.isEmpty
        owesContinue = isWaiting && invites
        upstreamOwesContinue = isWaiting && !invites
        if owesContinue, case .upstreams = rules.settings.destination { return openLeg() }
        if owesContinue { sendContinue() }
        forward()
        receive()
    }

    /// Whether Weir itself says 100 (Continue): where the upstream sees nothing before the first
    /// part has passed, it cannot be asked.
    var invites: Bool {
        switch rules.settings.destination {
        case .upstreams: inspector.withholdsHead
        case .sink: true
        }
    }

    func sendContinue() {
        owesContinue = false
        connection.output.append(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
        _ = connection.flush()
    }

    var statusLine: String {
        let declared = request.framing.declaredLength.map { " of \($0)" } ?? ""
        let age = (now &- log.startedAt) / 1_000_000
        return "\(log.requestID) \(log.clientAddress) \(request.method) \(request.path)"
            + " received=\(inspector.receivedOffset)\(declared)"
            + " forwarded=\(forwardedOffset) parts=\(inspector.partCount) age=\(age)ms"
            + (tunnel.map { " \($0.report.text)" } ?? "")
    }
}

extension RequestHead {
    /// The values of all Content-Type fields, in order.
    fileprivate var contentTypes: [ArraySlice<UInt8>] {
        fields.lines.filter { $0.known == .contentType }.map { fields.value($0) }
    }

    /// RFC 9110 §9.2.2: doing it twice is doing it once.
    var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "OPTIONS", "PUT", "DELETE": true
        default: false
        }
    }
}

extension BodyFraming {
    var declaredLength: Int? {
        switch self {
        case .length(let length): length
        case .none, .chunked, .untilClose: nil
        }
    }
}
