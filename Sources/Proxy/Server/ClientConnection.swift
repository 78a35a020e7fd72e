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
    enum Phase {
        /// Waiting for the first byte of a request; no buffer is held.
        case idle
        case readingHead
        case exchanging
        /// Our side is shut; the client's bytes are read and dropped until it closes.
        case lingering
        case closed
    }

    let stream: Stream
    let proxyLane: ProxyLane

    /// Who is at the other end: of the socket, or where a load balancer passes it on, of its own.
    var peer: SocketAddress {
        didSet { peerIP = peer.ip }
    }

    /// Its address as text, and that of the socket; nil on a Unix socket.
    private(set) var peerIP: String?
    let socketIP: String?

    /// Whose word on whom it sends for may count.
    ///
    /// Nobody's, if a load balancer is at the other end that does not say whose connection it is.
    var trustedNetworks: [Network] { isPeerKnown ? proxyLane.settings.trustedNetworks : [] }
    var isPeerKnown = true

    /// What it takes of the limits of connections.
    var place: ConnectionPlace

    var phase = Phase.idle

    /// Bytes that had been written and not arrived when that was last asked.
    private var untakenBytes = 0

    /// Until the PROXY header has been read, where there has to be one.
    var preface: ProxyHeaderParser?
    var headParser: RequestHeadParser
    var exchange: (any Exchange)?

    /// Client to upstream.
    private(set) var inbound: ByteBuffer?
    var inboundWindow = BodyWindow()

    /// Upstream to client.
    private(set) var outbound: ByteBuffer?
    var outboundWindow = BodyWindow()
    var output = Outbox()

    lazy var deadline = Deadline(on: lane.deadlines) { [weak self] in self?.timeIsUp() }

    /// When the upstream of the exchange has to have moved; clear where there is none.
    lazy var upstreamDeadline = Deadline(on: lane.deadlines) { [weak self] in
        self?.exchange?.upstreamTimedOut()
    }
    var idleEnd: Instant?
    private var farewell = Farewell(at: Instant.now, isDraining: false)

    /// A request is being looked for; who asks for another meanwhile is heard when that is done.
    var isReadingHead = false
    var wantsHead = false

    var lane: Lane { proxyLane.lane }

    /// The monotonic clock, in nanoseconds.
    var now: UInt64 { lane.now.nanoseconds }

    init(stream: Stream, in place: ConnectionPlace, lane: ProxyLane) {
        self.stream = stream
        self.place = place
        proxyLane = lane
        peer = stream.peer
        socketIP = stream.peer.ip
        peerIP = socketIP
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
        farewell = Farewell(at: lane.now, isDraining: proxyLane.isDraining)
        farewell.note(inboundWindow.raw.count)
        inboundWindow = BodyWindow()
        discardInput()
        // What had come is read, so that closing does not destroy the answer.
        if case .refused = place { close() }
    }

    private func discardInput() {
        guard let buffer = holdInbound() else { return close() }
        while farewell.lasts(at: lane.now) {
            switch stream.read(into: buffer, 0..<buffer.capacity) {
            case .bytes(let count):
                farewell.note(count)
            case .wouldBlock:
                releaseBuffers()
                setDeadline(after: farewell.patience(at: lane.now))
                stream.awaitReadable()
                return
            case .end, .failed:
                close()
                return
            }
        }
        close()
    }

    func close() {
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
            farewell.hurry(at: lane.now)
            setDeadline(after: farewell.patience(at: lane.now))
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
    func releaseBuffers() {
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
