internal import Audit
internal import HTTP1
internal import Transport
internal import Wire

/// Between the first byte of a connection, or of a request, and its exchange.
extension ClientConnection {
    /// Requests of one connection before others of the lane get their turn.
    private static let headsPerTurn = 16

    /// Reads requests one after the other.
    ///
    /// An exchange may end before `begin` returns, and ask for the next head from in there: that
    /// is noted and done here, so that a long pipeline does not become a deep stack.
    func readHead() {
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
    func refuseHead(_ problem: Problem, by party: Termination.Party) {
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

    func begin(_ exchange: any Exchange) {
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
}
