internal import Audit
internal import HTTP1
internal import Inspection
internal import Transport
internal import Wire

/// From the upstream: its answer is parsed, written anew, and relayed as it comes.
extension UploadExchange {
    /// RFC 9110 §15.2 sets no bound to interim responses; an upstream that never ends them does.
    private static let maximumInterims = 32

    private static let readsPerTurn = 8
    private static let minimumRead = 4 << 10

    func streamIsReadable(_ stream: Stream) {
        guard !isEnded else { return }
        if answer == .switched { tunnelFromUpstream() } else { relay() }
    }

    func clientIsWritable() {
        guard !isEnded else { return }
        switch answer {
        case .own, .relayed: if connection.flush() { conclude() }
        case .awaited, .relaying: relay()
        case .switched: continueTunnel()
        }
        // Writing to it had a deadline of its own, in the place of the one of its body.
        if !isEnded, clientWait.isRunning, connection.output.isEmpty { beginClientWait() }
    }

    /// Relays until the upstream has no more, or the client takes no more.
    func relay() {
        guard !isEnded, leg == .open, let upstream, connection.flush() else { return }
        guard let buffer = connection.holdOutbound() else {
            return breakOff(by: .weir, resets: true)
        }
        var reads = 0
        while true {
            guard parseAnswer(in: buffer), connection.flush() else { return }
            if answer == .relayed { return conclude() }
            if answer == .switched { return continueTunnel() }
            if reads == Self.readsPerTurn {
                lane.later { [weak self] in self?.relay() }
                return
            }
            reads += 1
            if connection.outboundWindow.free(in: buffer).count < Self.minimumRead {
                connection.outboundWindow.compact(in: buffer)
            }
            let free = connection.outboundWindow.free(in: buffer)
            switch upstream.stream.read(into: buffer, free) {
            case .bytes where upstream.isReused && upstream.sentBytes == 0:
                // Said to nobody, as when an upstream tires of an idle connection.
                return upstreamEnded()
            case .bytes(let count):
                upstreamWait.end(at: now)
                connection.outboundWindow.receive(count)
            case .wouldBlock:
                return awaitUpstream(upstream)
            case .end:
                return endOfUpstream(in: buffer)
            case .failed:
                return upstreamEnded()
            }
        }
    }

    private func awaitUpstream(_ upstream: UpstreamConnection) {
        if answer == .relaying {
            upstreamWait.begin(at: now)
            upstreamDeadline.set(after: rules.settings.timeouts.firstByte)
        } else if departure == .complete || !toUpstream.isEmpty || upstreamOwesContinue {
            // The deadline of the answer, or of the write that waits, stands: bytes that are no
            // answer do not move it.
            upstreamWait.begin(at: now)
        }
        upstream.stream.awaitReadable()
    }

    /// The upstream has closed; for some answers that is the end of the body.
    private func endOfUpstream(in buffer: ByteBuffer) {
        guard answer == .relaying else { return upstreamEnded() }
        do {
            try responseDecoder.finish()
        } catch {
            return answerWasCut()
        }
        if parseAnswer(in: buffer), connection.flush() { conclude() }
    }

    /// Makes of the bytes that have come what the client is to get; false if the exchange ended.
    private func parseAnswer(in buffer: ByteBuffer) -> Bool {
        do {
            while answer == .awaited, !connection.outboundWindow.raw.isEmpty {
                let consumed = try buffer.withBytes(connection.outboundWindow.raw) {
                    bytes throws(Fault<HTTPReason>) in
                    try responseParser.consume(bytes)
                }
                connection.outboundWindow.skipRaw(consumed)
                guard responseParser.isComplete else { return true }
                let head = try responseParser.takeHead(answering: request.method)
                if head.isSwitchingProtocols {
                    // A switch nobody asked for would make both streams opaque.
                    guard let upgrade, head.upgrade == upgrade, departure == .complete else {
                        malformedAnswer()
                        return false
                    }
                    switchProtocols(head)
                } else if head.isInterim {
                    guard relayInterim(head) else { return false }
                } else {
                    beginAnswer(head)
                }
            }
            if answer == .relaying { try loadAnswer(in: buffer) }
            return true
        } catch {
            malformedAnswer()
            return false
        }
    }

    private func relayInterim(_ head: ResponseHead) -> Bool {
        interimCount += 1
        guard interimCount <= Self.maximumInterims else {
            malformedAnswer()
            return false
        }
        let isForClient = request.minorVersion > 0 && !(head.status == 100 && invites)
        if isForClient {
            var relayed = ResponseForwarding(response: head, to: request, closes: false)
            relayed.tellsPartDigests = rules.settings.policy.partDigests.reachesClient
            connection.output.append(relayed.head())
        }
        if upstreamOwesContinue, head.status == 100 {
            endUpstreamContinue()
            beginClientWait()
        } else if departure == .complete || upstreamOwesContinue {
            // It says that the upstream is at work: it may take its time again.
            upstreamDeadline.set(after: rules.settings.timeouts.firstByte)
        }
        return true
    }

    private func beginAnswer(_ head: ResponseHead) {
        // The rest of the request goes nowhere, whether the client has sent it or not.
        if departure != .complete { log.end(by: .upstream, in: .body) }
        let isEarly = intake == .receiving
        if isEarly {
            intake = .abandoned
            clientWait.end(at: now)
            inspector.abort(at: now)
        }
        upstreamDeadline.clear()
        upstream?.endpoint.succeeded()
        connection.clearDeadline()
        let mustClose = !request.isPersistent || isEarly || connection.proxyLane.isDraining
        var forwarding = ResponseForwarding(response: head, to: request, closes: mustClose)
        if rules.settings.policy.partDigests.reachesClient {
            forwarding.tellsPartDigests = true
            forwarding.partDigests = inspector.partDigestField
        }
        response = head
        keepsClient = !forwarding.closes
        framingToClient = forwarding.framing
        responseDecoder = BodyDecoder(head.framing)
        log.answered(head.status)
        connection.output.append(forwarding.head())
        answer = .relaying
    }

    /// Decodes what has come of the answer's body, and puts it into the outbox.
    private func loadAnswer(in buffer: ByteBuffer) throws(Fault<HTTPReason>) {
        try connection.outboundWindow.decode(in: buffer, with: &responseDecoder)
        let count = connection.outboundWindow.body.count
        let ends = responseDecoder.isComplete
        if framingToClient == .chunked {
            var header: [UInt8] = []
            if count > 0 { ChunkWriter.appendHeader(size: count, to: &header) }
            if count == 0, ends { header += ChunkWriter.last }
            connection.output.append(header)
            if count > 0 {
                let end = ends ? ChunkWriter.end + ChunkWriter.last : ChunkWriter.end
                connection.output.append(run: count, then: end)
            }
        } else {
            connection.output.append(run: count)
        }
        if ends { answer = .relayed }
    }

    private func malformedAnswer() {
        if answer == .awaited {
            upstream?.endpoint.failed(.upstreamMalformed)
            answerItself(Problem(.upstreamMalformed), by: .upstream)
        } else {
            answerWasCut()
        }
    }

    /// The answer ends before it is complete, and must look so: no terminator, no orderly end.
    func answerWasCut() {
        breakOff(by: .upstream, resets: true)
    }
}
