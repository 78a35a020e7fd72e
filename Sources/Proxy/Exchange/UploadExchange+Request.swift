internal import Audit
internal import Digest
internal import HTTP1
internal import Inspection
internal import Transport
internal import Wire

/// From the client: the body is read, decoded and inspected where it lies.
extension UploadExchange {
    /// The smallest space worth a read.
    private static let minimumRead = 4 << 10

    /// Bytes the front of the buffer must have given up before what waits is moved there.
    private static let worthMoving = 64 << 10

    /// How long a body whose rest cannot come waits for an upstream that takes nothing.
    private static let patienceWithLostBody = Duration.seconds(1)

    /// Reads before other connections of the lane get their turn.
    private static let readsPerTurn = 8

    /// Reads from the client until it has no more, or the upstream takes no more.
    func receive() {
        guard !isEnded, intake == .receiving else { return }
        isPaused = false
        if isPairable { pairing.withdraw(self) }
        guard let buffer = connection.holdInbound() else {
            return breakOff(by: .weir, resets: true)
        }
        var reads = 0
        while true {
            if !isGathering {
                guard inspectArrived(buffer) else { return }
                forward()
                guard !isEnded, intake == .receiving else { break }
            }
            guard makeRoom(in: buffer) else {
                isPaused = true
                return clientFinishedSending()
            }
            if reads == Self.readsPerTurn {
                lane.later { [weak self] in self?.receive() }
                return
            }
            reads += 1
            let free = connection.inboundWindow.free(in: buffer)
            switch connection.stream.read(into: buffer, free) {
            case .bytes(let count):
                guard note(count) else {
                    return answerItself(Problem(.rateTooSlow), by: .clientTimeout)
                }
                guard mayGoOn(from: buffer) else { return }
            case .wouldBlock:
                return awaitClient()
            case .end:
                guard takeGathered(buffer) else { return }
                return clientEnded()
            case .failed:
                guard takeGathered(buffer) else { return }
                return clientFailed()
            }
        }
        if intake == .complete { watchClient() }
    }

    /// Nothing more comes to what was gathered; false if that ends the matter.
    private func takeGathered(_ buffer: ByteBuffer) -> Bool {
        guard isGathering else { return true }
        isGathering = false
        guard inspectArrived(buffer) else { return false }
        forward()
        return !isEnded && intake == .receiving
    }

    /// Decodes and inspects what has arrived; false if it was refused.
    private func inspectArrived(_ buffer: ByteBuffer) -> Bool {
        decodeArrived(buffer)
        // All that came in one read at once, however small its chunks are.
        let moment = now
        buffer.withBytes(connection.inboundWindow.body.suffix(uninspectedCount)) { bytes in
            receivedHash?.update(bytes)
            inspector.consume(bytes, at: moment)
        }
        uninspectedCount = 0
        if let finding = inspector.refusal {
            refuse(Problem(finding))
            return false
        }
        if let framingFault {
            refuse(Problem(framingFault))
            return false
        }
        if decoder.isComplete {
            inspector.finish(
                at: moment,
                digestTrailers: digests.fields(ofTrailer: decoder.trailers)
            )
            if let finding = inspector.refusal {
                refuse(Problem(finding))
                return false
            }
            completeIntake()
        }
        return true
    }

    func decodeArrived(_ buffer: ByteBuffer) {
        let known = connection.inboundWindow.body.count
        do {
            try connection.inboundWindow.decode(in: buffer, with: &decoder)
        } catch {
            framingFault = error
        }
        uninspectedCount += connection.inboundWindow.body.count - known
    }

    private func completeIntake() {
        intake = .complete
        endPairing()
        clientWait.end(at: now)
        connection.clearDeadline()
    }

    /// Makes sure there is space to read into; false where the upstream has to take some first.
    private func makeRoom(in buffer: ByteBuffer) -> Bool {
        let window = connection.inboundWindow
        if window.free(in: buffer).count >= Self.minimumRead { return true }
        let reclaimable = buffer.capacity - window.body.count - window.raw.count
        guard reclaimable >= Self.worthMoving else { return false }
        connection.inboundWindow.compact(in: buffer)
        return true
    }

    /// Bytes have come; false if they come too slowly.
    private func note(_ count: Int) -> Bool {
        connection.inboundWindow.receive(count)
        if upstreamOwesContinue { endUpstreamContinue() }
        let waited = clientWait.end(at: now)
        return !rateWatch.note(count, after: waited)
    }

    /// While reading rests, a body that its client has not sent all of is found by counting, once
    /// the upstream has taken nothing for a while.
    ///
    /// Otherwise it is found by reading: a client that has only shut its writing side, behind a
    /// whole request, still gets its answer.
    func clientFinishedSending() {
        guard !isEnded, intake == .receiving, isPaused, connection.stream.hasPeerFinished else {
            return
        }
        if arrivedBytes < decoder.fewestBytesLeft {
            connection.setDeadline(after: Self.patienceWithLostBody)
        }
    }

    /// The upstream has taken nothing meanwhile, nor will the client send the rest.
    private func giveUpLostBody() {
        guard isPaused, connection.stream.hasPeerFinished,
            arrivedBytes < decoder.fewestBytesLeft
        else { return }
        let end = decoder.offset + arrivedBytes
        answerItself(Problem(Fault(HTTPReason.bodyTruncated, at: end)), by: .client)
    }

    /// Bytes of the body that have come and were not decoded.
    private var arrivedBytes: Int {
        connection.inboundWindow.raw.count + connection.stream.unreadBytes
    }

    func clientBroke() {
        // Where reading goes on, it first finds what came before.
        if intake != .receiving || isPaused { clientFailed() }
    }

    private func awaitClient() {
        if !upstreamOwesContinue { beginClientWait() }
        connection.stream.awaitReadable()
    }

    func beginClientWait() {
        clientWait.begin(at: now)
        connection.setDeadline(after: rules.settings.timeouts.bodyIdle)
    }

    /// The client waits no longer for the upstream's word, or has it.
    func endUpstreamContinue() {
        upstreamOwesContinue = false
        guard leg == .open else { return }
        upstreamWait.end(at: now)
        upstreamDeadline.clear()
    }

    /// The client's stream ended in the middle of its body; it may still read our answer.
    private func clientEnded() {
        do {
            try decoder.finish()
        } catch {
            answerItself(Problem(error), by: .client)
        }
    }

    /// The body breaks a rule: the upstream must never take it for complete.
    func refuse(_ problem: Problem) {
        answerItself(problem, by: .weir)
    }

    // MARK: While the answer is awaited

    /// Notices a client that leaves while its request is on its way.
    func watchClient() {
        guard !isEnded, answer == .awaited, connection.inboundWindow.raw.isEmpty else { return }
        connection.stream.awaitReadable()
    }

    func clientIsReadable() {
        guard !isEnded else { return }
        if answer == .switched { return tunnelFromClient() }
        if intake == .receiving { return receive() }
        guard intake == .complete else { return }
        switch connection.stream.peekState() {
        case .quiet: connection.stream.awaitReadable()
        case .failed: clientFailed()
        // The next request waits its turn; and a client that has shut its writing side after a
        // complete request may still want the answer.
        case .readable, .end: break
        }
    }

    func clientTimedOut() {
        guard !isEnded else { return }
        if answer == .awaited, intake == .receiving {
            // Bytes have come since the deadline was set, and now the upstream is waited for.
            guard clientWait.isRunning else { return giveUpLostBody() }
            clientWait.end(at: now)
            answerItself(Problem(.bodyTimeout, at: inspector.receivedOffset), by: .clientTimeout)
        } else if !connection.output.isEmpty, answer != .switched {
            breakOff(by: .clientTimeout, resets: true)
        }
    }

    func clientFailed() {
        guard !isEnded else { return }
        breakOff(by: .client, resets: true)
    }
}
