internal import Audit
internal import HTTP1
internal import Transport
internal import Wire

/// One client's connection: it reads request heads, gives each request to an `Exchange`, and ends
/// the connection so that the client can read the last answer.
///
/// It owns the two buffers of the exchange, one a direction. Between requests it owns none.
final class ClientConnection: StreamDelegate {
    /// What is happening.
    private enum Phase {
        /// Waiting for the first byte of a request; no buffer is held.
        case idle
        case readingHead
        case exchanging
        /// Our side is shut; the client's bytes are read and dropped until it closes.
        case lingering
        case closed
    }

    /// Requests of one connection before others of the lane get their turn.
    private static let headsPerTurn = 16

    /// RFC 9112 §9.6: how long, and how much, a client may go on sending after the last answer.
    private static let lingerIdle = Duration.seconds(5)
    private static let lingerTotal = Duration.seconds(30)
    private static let lingerBytes = 8 << 20

    /// The same while the proxy shuts down: what is over does not hold it up.
    private static let lingerIdleDraining = Duration.milliseconds(500)
    private static let lingerTotalDraining = Duration.seconds(2)

    let stream: Stream
    let proxyLane: ProxyLane

    /// Who is at the other end: of the socket, or where a load balancer passes it on, of its own.
    private(set) var peer: SocketAddress

    /// Whose word on whom it sends for may count.
    ///
    /// Nobody's, if a load balancer is at the other end that does not say whose connection it is.
    var trustedNetworks: [Network] { isPeerKnown ? proxyLane.settings.trustedNetworks : [] }
    private var isPeerKnown = true

    /// What it takes of the limits of connections.
    private(set) var place: ConnectionPlace

    private var phase = Phase.idle

    /// Bytes that had been written and not arrived when that was last asked.
    private var untakenBytes = 0

    /// Until the PROXY header has been read, where there has to be one.
    private var preface: ProxyHeaderParser?
    private var headParser: RequestHeadParser
    private var exchange: (any Exchange)?

    /// Client to upstream.
    private(set) var inbound: ByteBuffer?
    var inboundWindow = BodyWindow()

    /// Upstream to client.
    private(set) var outbound: ByteBuffer?
    var outboundWindow = BodyWindow()
    var output = Outbox()

    private lazy var deadline = Deadline(on: lane.deadlines) { [weak self] in self?.timeIsUp() }
    private var idleEnd: Instant?
    private var lingerEnd = Instant.now
    private var lingered = 0

    /// A request is being looked for; who asks for another meanwhile is heard when that is done.
    private var isReadingHead = false
    private var wantsHead = false

    var lane: Lane { proxyLane.lane }

    /// The monotonic clock, in nanoseconds.
    var now: UInt64 { lane.now.nanoseconds }

    init(stream: Stream, in place: ConnectionPlace, lane: ProxyLane) {
        self.stream = stream
        self.place = place
        proxyLane = lane
        peer = stream.peer
        if lane.settings.proxyProtocol == .required { preface = ProxyHeaderParser() }
        headParser = RequestHeadParser(limits: lane.settings.headLimits)
    }

    func start() {
        stream.delegate = self
        let trusted = proxyLane.settings.trustedNetworks
        if preface != nil, !trusted.isEmpty, !trusted.contain(peer) {
            refuseHead(Problem(.proxyHeaderUntrusted), by: .weir)
        } else {
            readHead()
        }
    }

    // MARK: Request heads

    /// Reads requests one after the other.
    ///
    /// An exchange may end before `begin` returns, and ask for the next head from in there: that
    /// is noted and done here, so that a long pipeline does not become a deep stack.
    private func readHead() {
        wantsHead = true
        guard !isReadingHead else { return }
        isReadingHead = true
        var heads = 0
        while wantsHead, heads < Self.headsPerTurn {
            wantsHead = false
            heads += 1
            readOneHead()
        }
        isReadingHead = false
        guard wantsHead else { return }
        // Requests that are answered at once, one behind the other, must not keep the lane.
        lane.later { [weak self] in
            guard let self, self.wantsHead, self.phase == .idle else { return }
            self.readHead()
        }
    }

    private func readOneHead() {
        guard let buffer = holdInbound() else { return close() }
        while true {
            if !inboundWindow.raw.isEmpty, takeHead(from: buffer) { return }
            // Heads without bodies, one behind the other, move on through the buffer.
            if inboundWindow.free(in: buffer).isEmpty { inboundWindow.compact(in: buffer) }
            switch stream.read(into: buffer, inboundWindow.free(in: buffer)) {
            case .bytes(let count):
                inboundWindow.receive(count)
            case .wouldBlock:
                awaitHead()
                return
            case .end, .failed:
                loseHead()
                return
            }
        }
    }

    /// Parses what has arrived; true if the head is complete, or refused.
    private func takeHead(from buffer: ByteBuffer) -> Bool {
        if preface != nil {
            guard takePreface(from: buffer) else { return true }
            guard preface == nil, !inboundWindow.raw.isEmpty else { return false }
        }
        do {
            let consumed = try buffer.withBytes(inboundWindow.raw) {
                bytes throws(Fault<HTTPReason>) in
                try headParser.consume(bytes)
            }
            inboundWindow.skipRaw(consumed)
            guard headParser.isComplete else { return false }
            begin(UploadExchange(try headParser.takeHead(), on: self))
        } catch {
            refuseHead(Problem(error), by: .weir)
        }
        return true
    }

    /// Reads the PROXY header as far as it has come; false if it is malformed.
    private func takePreface(from buffer: ByteBuffer) -> Bool {
        do {
            let consumed = try buffer.withBytes(inboundWindow.raw) {
                bytes throws(ProxyHeaderFault) in
                try preface?.consume(bytes) ?? 0
            }
            inboundWindow.skipRaw(consumed)
        } catch {
            refuseHead(Problem(error), by: .weir)
            return false
        }
        guard let header = preface?.header else { return true }
        preface = nil
        if case .source(let ip, let port) = header, let source = SocketAddress(ip: ip, port: port) {
            peer = source
            guard let place = proxyLane.shared.place(for: source, by: proxyLane.settings) else {
                refuseHead(Problem(.tooManyFromAddress), by: .weir)
                return false
            }
            self.place = place
        } else {
            isPeerKnown = false
        }
        return true
    }

    /// Answers instead of reading a request to its end, or ends the connection without a word if it
    /// has not even begun as it has to.
    private func refuseHead(_ problem: Problem, by party: Termination.Party) {
        begin(
            RefusedExchange(
                problem,
                by: party,
                received: Int(clamping: stream.bytesRead),
                silently: preface != nil,
                on: self
            )
        )
    }

    private func begin(_ exchange: any Exchange) {
        phase = .exchanging
        deadline.clear()
        self.exchange = exchange
        exchange.begin()
    }

    private func awaitHead() {
        let timeouts = proxyLane.settings.timeouts
        if hasBegunHead {
            // Set once: dripping bytes does not move it.
            if phase == .idle { setDeadline(after: timeouts.head) }
            phase = .readingHead
        } else {
            phase = .idle
            releaseBuffers()
            if proxyLane.isDraining { return close() }
            // Set once: an empty line does not move it.
            let end = idleEnd ?? lane.now + timeouts.keepAlive
            idleEnd = end
            deadline.set(at: end)
        }
        stream.awaitReadable()
    }

    private var hasBegunHead: Bool { preface?.hasBegun ?? headParser.hasBegun }

    /// The client left before its request was whole.
    private func loseHead() {
        if hasBegunHead {
            refuseHead(Problem(ProxyReason.headIncomplete), by: .client)
        } else {
            close()
        }
    }

    /// Answers at once, without reading a request.
    func turnAway(_ reason: ProxyReason) {
        stream.delegate = self
        preface = nil
        refuseHead(Problem(reason), by: .weir)
    }

    // MARK: Between exchanges

    /// The exchange has recorded its end.
    func exchangeEnded(keepsAlive: Bool) {
        exchange = nil
        // Bytes the upstream sent beyond its answer are nobody's answer.
        outboundWindow = BodyWindow()
        if keepsAlive, !proxyLane.isDraining {
            phase = .idle
            idleEnd = nil
            readHead()
        } else {
            linger()
        }
    }

    /// The exchange cannot end in an orderly way; the client must see that.
    func exchangeBroke(resets: Bool) {
        exchange = nil
        if resets { stream.reset() } else { stream.close() }
        finishClosing()
    }

    private func linger() {
        guard phase != .closed else { return }
        phase = .lingering
        stream.shutdownWrite()
        lingerEnd = lane.now + lingerTotal
        lingered = inboundWindow.raw.count
        inboundWindow = BodyWindow()
        discardInput()
        // What had come is read, so that closing does not destroy the answer.
        if case .refused = place { close() }
    }

    private var lingerIdle: Duration {
        proxyLane.isDraining ? Self.lingerIdleDraining : Self.lingerIdle
    }

    private var lingerTotal: Duration {
        proxyLane.isDraining ? Self.lingerTotalDraining : Self.lingerTotal
    }

    private func discardInput() {
        guard let buffer = holdInbound() else { return close() }
        while lingered < Self.lingerBytes, lane.now < lingerEnd {
            switch stream.read(into: buffer, 0..<buffer.capacity) {
            case .bytes(let count):
                lingered += count
            case .wouldBlock:
                releaseBuffers()
                setDeadline(after: min(lingerIdle, lingerEnd - lane.now))
                stream.awaitReadable()
                return
            case .end, .failed:
                close()
                return
            }
        }
        close()
    }

    private func close() {
        guard phase != .closed else { return }
        stream.close()
        finishClosing()
    }

    private func finishClosing() {
        phase = .closed
        deadline.clear()
        releaseBuffers()
        proxyLane.remove(self)
    }

    // MARK: Shutdown

    /// No new request: an idle connection closes, any other after its answer.
    ///
    /// A request that has arrived before it could be read is one in flight.
    func drain() {
        switch phase {
        case .idle: readHead()
        case .lingering:
            lingerEnd = min(lingerEnd, lane.now + lingerTotal)
            setDeadline(after: lingerIdle)
        case .readingHead, .exchanging, .closed: break
        }
    }

    /// Time is up for whatever is still going on.
    func cut() {
        switch phase {
        case .exchanging: exchange?.cut()
        case .readingHead:
            begin(
                RefusedExchange(
                    Problem(.draining),
                    by: .shutdown,
                    received: Int(clamping: stream.bytesRead),
                    silently: true,
                    on: self
                )
            )
        case .idle, .lingering: close()
        case .closed: break
        }
    }

    var statusLine: String? { exchange?.statusLine }

    // MARK: Writing

    /// Writes what is in the outbox; true once it is empty.
    ///
    /// Where the client takes no more, or is gone, the exchange is told later or at once.
    func flush() -> Bool {
        switch output.write(to: stream, lending: &outboundWindow, of: outbound) {
        case .done:
            return true
        case .blocked:
            untakenBytes = stream.untakenBytes
            setDeadline(after: proxyLane.settings.timeouts.bodyIdle)
            stream.awaitWritable()
            return false
        case .failed:
            exchange?.clientFailed()
            return false
        }
    }

    // MARK: Readiness and time

    func streamIsReadable(_ stream: Stream) {
        switch phase {
        case .idle, .readingHead: readHead()
        case .exchanging: exchange?.clientIsReadable()
        case .lingering: discardInput()
        case .closed: break
        }
    }

    func streamIsWritable(_ stream: Stream) {
        guard phase == .exchanging else { return }
        deadline.clear()
        exchange?.clientIsWritable()
    }

    /// Noticed also while nothing is read from the client, because the upstream takes nothing.
    func streamHungUp(_ stream: Stream) {
        guard phase == .exchanging else { return }
        if stream.isBroken {
            exchange?.clientBroke()
        } else {
            exchange?.clientFinishedSending()
        }
    }

    /// Gives the client until then to move.
    func setDeadline(after duration: Duration) {
        deadline.set(after: duration)
    }

    func clearDeadline() { deadline.clear() }

    /// The client has taken something since that was last asked.
    ///
    /// The kernel says that there is room only when much of its own buffer is free, which a slow
    /// reader may take longer for than it may be idle.
    func hasClientMoved() -> Bool {
        guard !output.isEmpty else { return false }
        let left = stream.untakenBytes
        defer { untakenBytes = left }
        return left < untakenBytes
    }

    private func timeIsUp() {
        switch phase {
        case .idle, .lingering: close()
        case .readingHead: refuseHead(Problem(ProxyReason.headTimeout), by: .clientTimeout)
        case .exchanging:
            if hasClientMoved() { return setDeadline(after: proxyLane.settings.timeouts.bodyIdle) }
            exchange?.clientTimedOut()
        case .closed: break
        }
    }

    // MARK: Buffers

    /// The buffer for the client's bytes; nil where the machine has no memory left.
    func holdInbound() -> ByteBuffer? {
        if inbound == nil { inbound = try? lane.buffers.take() }
        return inbound
    }

    /// The buffer for the upstream's bytes; nil where the machine has no memory left.
    func holdOutbound() -> ByteBuffer? {
        if outbound == nil { outbound = try? lane.buffers.take() }
        return outbound
    }

    /// Gives back the buffers in which nothing waits, while an exchange goes on.
    func releaseEmptyBuffers() {
        if let inbound, inboundWindow.isEmpty {
            lane.buffers.give(inbound)
            self.inbound = nil
        }
        if let outbound, outboundWindow.isEmpty {
            lane.buffers.give(outbound)
            self.outbound = nil
        }
    }

    /// Gives back the buffers in which nothing waits.
    private func releaseBuffers() {
        if phase == .closed { inboundWindow = BodyWindow() }
        if let inbound, inboundWindow.isEmpty {
            lane.buffers.give(inbound)
            self.inbound = nil
        }
        if let outbound {
            lane.buffers.give(outbound)
            self.outbound = nil
            outboundWindow = BodyWindow()
        }
    }
}
