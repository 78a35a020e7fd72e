internal import Audit
internal import Digest
internal import HTTP1
internal import Inspection
internal import Transport

/// To the upstream: the head, once the gates let it go, and the released bytes of the body.
extension UploadExchange {
    /// What a kernel takes for its reader at once, however slow that is.
    private static let alwaysTaken = 32 << 10

    /// Passes on what the inspector has released.
    func forward() {
        guard !isEnded, answer == .awaited else { return }
        switch rules.settings.destination {
        case .sink: swallow()
        case .upstreams:
            switch leg {
            case .none: if mayDepart { openLeg() }
            case .open: send()
            case .dialing, .gone: break
            }
        }
    }

    /// Whether anything of this request may reach the upstream yet.
    private var mayDepart: Bool {
        intake == .complete || !inspector.withholdsHead || inspector.releasedOffset > 0
    }

    // MARK: Opening

    /// Takes an idle connection, or opens a new one.
    func openLeg() {
        guard let pool = rules.pool else { return }
        let opening = pool.open(
            for: self,
            mayReuse: !hasRetried,
            within: rules.settings.timeouts.connect
        ) { [weak self] outcome in self?.dialed(outcome) }
        switch opening {
        case .idle(let idle):
            opened(idle)
        case .dialing(let dial):
            leg = .dialing
            upstreamWait.begin(at: now)
            log.connectBegan(at: now)
            self.dial = dial
        }
    }

    private func dialed(_ outcome: Dial.Outcome) {
        guard !isEnded, leg == .dialing else { return }
        dial = nil
        upstreamWait.end(at: now)
        log.connectEnded(at: now)
        switch outcome {
        case .connected(let connection):
            opened(connection)
        case .failed(.outOfDescriptors, _):
            connection.proxyLane.shared.troubles.note("no descriptor is left for the upstream")
            log.end(by: .weir, in: .connecting)
            answerItself(Problem(.outOfDescriptors), by: .weir)
        case .failed(let reason, let address):
            log.destination = address?.description
            let party: Termination.Party =
                reason == .upstreamConnectTimeout ? .upstreamTimeout : .upstream
            // Also where the body is still on its way.
            log.end(by: party, in: .connecting)
            answerItself(Problem(reason), by: party)
        }
    }

    private func opened(_ fresh: UpstreamConnection) {
        leg = .open
        upstream = fresh
        log.destination = fresh.endpoint.addressText
        framingToUpstream = framing(over: fresh.stream)
        fresh.stream.awaitReadable()
        if owesContinue {
            sendContinue()
            receive()
        } else {
            send()
            if isPaused { receive() }
        }
    }

    /// How the body goes over `stream`: as it came, but in chunks over a Unix socket.
    ///
    /// That cannot be reset: the end of what was sent always looks orderly there, and an upstream
    /// may take a body that is shorter than its Content-Length for whole. A chunked one without
    /// its last chunk is never that. And only a chunked body has a trailer.
    private func framing(over stream: Stream) -> BodyFraming {
        guard let length = request.framing.declaredLength, length > 0 else {
            return request.framing
        }
        let cannotBeReset = !stream.peer.isInternet && rules.settings.policy.mode != .off
        return cannotBeReset || tellsUpstream ? .chunked : request.framing
    }

    /// Whether the upstream is told the digests of parts, of a body that may have a trailer.
    private var tellsUpstream: Bool {
        rules.settings.policy.mode == .enforce && rules.settings.policy.partDigests.reachesUpstream
    }

    // MARK: Sending

    /// Writes what may go, until the upstream takes no more.
    private func send() {
        guard let upstream, departure != .complete, mayDepart else { return }
        while !toUpstream.isEmpty || load() {
            let progress = toUpstream.write(
                to: upstream.stream,
                lending: &connection.inboundWindow,
                of: connection.inbound
            ) { [connection] run in
                forwardedOffset += run.count
                guard sentHash != nil else { return }
                connection.inbound?.withBytes(run) { sentHash?.update($0) }
            }
            recordSentParts()
            switch progress {
            case .done:
                upstreamWait.end(at: now)
            case .blocked:
                return awaitWritable(upstream)
            case .failed(let error):
                return upstreamFailed(error)
            }
        }
        if isEndLoaded {
            departure = .complete
            awaitAnswer()
        } else if upstreamOwesContinue {
            awaitAnswer()
        } else {
            upstreamDeadline.clear()
        }
    }

    /// Puts the next piece into the outbox; false where there is none yet.
    private func load() -> Bool {
        var before: [UInt8] = []
        if departure == .nothing {
            departure = .begun
            before = requestHead()
        }
        let count = inspector.releasedOffset - loadedOffset
        let ends = intake == .complete && !isEndLoaded
        loadedOffset += count
        isEndLoaded = isEndLoaded || ends
        guard framingToUpstream == .chunked else {
            toUpstream.append(before)
            toUpstream.append(run: count)
            return !toUpstream.isEmpty
        }
        if count > 0 { ChunkWriter.appendHeader(size: count, to: &before) }
        if count == 0, ends { before += lastChunk }
        toUpstream.append(before)
        if count > 0 {
            let end = ends ? ChunkWriter.end + lastChunk : ChunkWriter.end
            toUpstream.append(run: count, then: end)
        }
        return !toUpstream.isEmpty
    }

    private func requestHead() -> [UInt8] {
        RequestForwarding(
            request: request,
            framing: framingToUpstream,
            origin: origin,
            names: names,
            upgrade: upgrade,
            // Not of HTTP/1.0, which knows none, nor where there is no body to wait for.
            keepsExpectation: request.expectsContinue && !invites,
            partDigests: rules.settings.policy.partDigests,
            announcesPartDigests: tellsUpstream && framingToUpstream == .chunked
        ).head()
    }

    /// What ends the body: the last chunk, and the trailer that was announced.
    private var lastChunk: [UInt8] {
        guard tellsUpstream, let digests = inspector.partDigestField else {
            return ChunkWriter.last
        }
        var trailer = HeadWriter()
        trailer.field(name: PartDigestField.name, value: digests)
        trailer.finish()
        return ChunkWriter.lastSize + trailer.bytes
    }

    private func awaitWritable(_ upstream: UpstreamConnection) {
        upstreamWait.begin(at: now)
        untakenByUpstream = upstream.stream.untakenBytes
        upstreamDeadline.set(after: rules.settings.timeouts.firstByte)
        upstream.stream.awaitWritable()
    }

    private func awaitAnswer() {
        upstreamWait.begin(at: now)
        noteUntaken()
        upstreamDeadline.set(after: rules.settings.timeouts.firstByte)
    }

    /// Remembers how much is on its way, where it may be more than the upstream's kernel takes for
    /// it unasked.
    private func noteUntaken() {
        guard let upstream else { return }
        let mayWait = upstream.sentBytes > Self.alwaysTaken
        untakenByUpstream = mayWait ? upstream.stream.untakenBytes : 0
    }

    func streamIsWritable(_ stream: Stream) {
        guard !isEnded, leg == .open else { return }
        if answer == .switched { return tunnelFromClient() }
        guard answer == .awaited else { return }
        upstreamWait.end(at: now)
        send()
        if isPaused { receive() }
    }

    func upstreamTimedOut() {
        if !isEnded, answer == .switched { return tunnelIsIdle() }
        // The upstream may have moved since the deadline was set, and the client be waited for.
        guard !isEnded, upstreamWait.isRunning else { return }
        if answer == .relaying { return breakOff(by: .upstreamTimeout, resets: true) }
        if hasUpstreamMoved() {
            return upstreamDeadline.set(after: rules.settings.timeouts.firstByte)
        }
        upstream?.endpoint.failed(.upstreamTimeout)
        answerItself(Problem(.upstreamTimeout), by: .upstreamTimeout)
    }

    /// The upstream has taken something since that was last asked.
    func hasUpstreamMoved() -> Bool {
        guard let upstream else { return false }
        let left = upstream.stream.untakenBytes
        defer { untakenByUpstream = left }
        return left < untakenByUpstream
    }

    // MARK: Losing it

    /// Reading from the upstream, or writing to it, failed.
    ///
    /// A failed write does not mean there is no answer: a server that refuses an upload may answer
    /// and close while bytes are still on their way to it.
    func upstreamFailed(_ error: TransportError) {
        guard !isEnded else { return }
        if answer == .awaited, error.operation == .write, departure != .complete {
            departure = .begun
            return relay()
        }
        upstreamEnded()
    }

    /// No more comes from the upstream.
    func upstreamEnded() {
        if answer == .relaying { return answerWasCut() }
        if isUnseen, !mayDepart { return loseIdleLeg() }
        if mayRetry { return retry() }
        upstream?.endpoint.failed(.upstreamClosed)
        answerItself(Problem(.upstreamClosed), by: .upstream)
    }

    /// The upstream has seen nothing of this request, nor said a word.
    private var isUnseen: Bool {
        guard let upstream, !responseParser.hasBegun else { return false }
        return upstream.sentBytes == 0
    }

    /// Whether a fresh connection may be tried.
    ///
    /// A connection may be closed just before it is used: by an upstream that waited too long for
    /// the first request, or for the next. Asking again is safe where it cannot have acted:
    /// nothing was written, or, over a pooled connection, nothing that matters twice.
    private var mayRetry: Bool {
        guard let upstream, !hasRetried, !responseParser.hasBegun else { return false }
        return upstream.sentBytes == 0
            || upstream.isReused && request.framing == .none && request.isIdempotent
    }

    /// The connection ended before there was anything to send; another is made when there is.
    private func loseIdleLeg() {
        upstream?.stream.close()
        upstream = nil
        leg = .none
    }

    private func retry() {
        upstream?.stream.close()
        upstream = nil
        hasRetried = true
        toUpstream = Outbox()
        departure = .nothing
        loadedOffset = 0
        isEndLoaded = false
        openLeg()
    }

    // MARK: The built-in upload API

    /// Takes what is released, and answers when all of it has come.
    private func swallow() {
        let count = inspector.releasedOffset - forwardedOffset
        forwardedOffset += count
        connection.inboundWindow.pass(count)
        recordSentParts()
        if intake == .complete {
            departure = .complete
            answerFromSink()
        }
    }
}
