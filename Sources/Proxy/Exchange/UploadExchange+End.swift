internal import Audit
internal import Digest
internal import HTTP1
internal import Inspection
internal import Transport

/// The end: Weir's own answers, broken exchanges, and the one record each exchange leaves.
extension UploadExchange {
    // MARK: Answers of Weir's own

    /// Answers the client in the upstream's place.
    ///
    /// The upstream must never take what it has got for a whole request: its connection is reset,
    /// unless nothing of this request was written to it. Where an answer is already on its way to
    /// the client, there can be no other, and both connections break.
    func answerItself(_ problem: Problem, by party: Termination.Party = .weir) {
        guard !isEnded else { return }
        guard answer == .awaited else { return breakOff(by: party, resets: true) }
        log.end(by: party, in: currentPhase)
        log.answered(problem)
        let closes = intake != .complete || !request.isPersistent || isDraining
        if intake == .receiving {
            intake = .abandoned
            inspector.abort(at: now)
        }
        releaseLeg()
        keepsClient = !closes
        answer = .own
        connection.output.append(
            problem.answer(requestID: log.requestID, isHead: request.isHEAD, closes: closes)
        )
        if connection.flush() { conclude() }
    }

    /// The built-in upload API answers: what it has read, part by part.
    func answerFromSink() {
        answer = .own
        keepsClient = request.isPersistent && !isDraining
        recordSentParts(everything: true)
        if request.maxForwards == 0 { return answerOptions() }
        let isUpload = request.framing != .none
        let report = SinkAnswer(
            status: isUpload ? 201 : 200,
            parts: sinkParts,
            bodyBytes: inspector.receivedOffset
        )
        log.answered(report.status)
        connection.output.append(
            report.answer(
                isHead: request.isHEAD,
                closes: !keepsClient,
                isOldClient: request.minorVersion == 0
            )
        )
        if connection.flush() { conclude() }
    }

    /// Weir is the last that an OPTIONS request asks, and has read its body, if it has one.
    private func answerOptions() {
        log.answered(200)
        let isOldClient = request.minorVersion == 0
        connection.output.append(
            OptionsAnswer().answer(closes: !keepsClient, isOldClient: isOldClient)
        )
        if connection.flush() { conclude() }
    }

    private var isDraining: Bool { connection.proxyLane.isDraining }

    // MARK: The end

    /// The client has its whole answer.
    func conclude() {
        guard !isEnded else { return }
        dropUnsentBody()
        releaseLeg()
        record()
        connection.exchangeEnded(keepsAlive: keepsClient)
    }

    /// Ends the exchange where nothing orderly is left to do.
    ///
    /// - Parameters:
    ///   - party: Who ended it.
    ///   - resets: The client must not take what it has got for a whole answer.
    func breakOff(by party: Termination.Party, resets: Bool) {
        guard !isEnded else { return }
        log.end(by: party, in: currentPhase)
        if intake == .receiving { inspector.abort(at: now) }
        intake = .abandoned
        releaseLeg()
        record()
        connection.exchangeBroke(resets: resets)
    }

    func cut() { breakOff(by: .shutdown, resets: true) }

    /// Body bytes the upstream answered without reading are nobody's: they must not stand in
    /// front of the next request.
    private func dropUnsentBody() {
        let unsent = connection.inboundWindow.body.count
        if unsent > 0 { connection.inboundWindow.pass(unsent) }
    }

    /// Gives the upstream's connection back, or ends it the way its state asks for.
    private func releaseLeg() {
        upstreamDeadline.clear()
        upstreamWait.end(at: now)
        dial?.cancel()
        dial = nil
        guard let upstream, leg == .open else {
            leg = .gone
            return
        }
        leg = .gone
        self.upstream = nil
        toUpstream = Outbox()
        log.destinationBytes = upstream.sentBytes
        let isUntouched = departure == .nothing && !upstream.hasSpoken
        if isUntouched || isReusable {
            rules.pool?.put(upstream)
        } else if departure == .complete, answer == .relayed {
            upstream.stream.close()
        } else {
            // A reset, not an orderly end: an upstream that sees the end of the stream may take
            // half a body for a whole one.
            upstream.stream.reset()
        }
    }

    /// Request and answer were complete, and nothing else has come.
    private var isReusable: Bool {
        departure == .complete && answer == .relayed && connection.outboundWindow.raw.isEmpty
            && response?.isPersistent == true && response?.framing != .untilClose
    }

    // MARK: Records

    /// Records the parts that the upstream was sent, or at the end all that have closed.
    func recordSentParts(everything: Bool = false) {
        let parts = inspector.takeClosedParts(sentOffset: forwardedOffset, everything: everything)
        for part in parts {
            connection.proxyLane.records.append(log.record(of: part))
            if case .sink = rules.settings.destination { sinkParts.append(part) }
        }
    }

    private func record() {
        isEnded = true
        endPairing()
        clientWait.end(at: now)
        connection.clearDeadline()
        recordSentParts(everything: true)
        var record = log.record(at: now)
        describeRequest(in: &record)
        describeUpload(in: &record)
        connection.proxyLane.records.append(record)
    }

    private func describeRequest(in record: inout RequestRecord) {
        record.method = request.method
        record.target = request.targetText
        record.path = request.path
        record.query = request.query
        record.httpVersion = request.minorVersion == 0 ? "1.0" : "1.1"
        record.userAgent = request.fields.text(.userAgent)
        record.requestBytes = request.byteCount + decoder.offset
        record.bodyBytes = inspector.receivedOffset
        record.declaredBytes = request.framing.declaredLength
        record.resumable = request.resumableFields
        record.tunnel = tunnel?.report
        switch request.framing {
        case .none, .untilClose: record.framing = .none
        case .length: record.framing = .length
        case .chunked: record.framing = .chunked
        }
    }

    /// What `enforce` would have refused the request for before it looked at the body.
    private var foundOfRoute: Finding? {
        guard rules.settings.policy.mode == .observe, case .noted = routeAmbiguity else {
            return nil
        }
        return Problem(.routeAmbiguous).finding
    }

    private func describeUpload(in record: inout RequestRecord) {
        record.mode = rules.settings.policy.mode
        record.profile = rules.settings.policy.profile
        record.route = rules.settings.routeName
        record.receivedBytes = inspector.receivedOffset
        record.forwardedBytes = forwardedOffset
        record.parts.total = inspector.partCount
        record.parts.files = inspector.fileCount
        record.timing.clientWaitNanoseconds = clientWait.total(at: now)
        record.timing.upstreamWaitNanoseconds = upstreamWait.total(at: now)
        // What was found in the body, and then what Weir answered for, if that is another thing.
        let routing = foundOfRoute
        let found = (routing.map { [$0] } ?? []) + inspector.findings
        record.findings = found + record.findings.filter { !found.contains($0) }
        if rules.settings.policy.mode == .observe, let block = routing ?? inspector.firstBlock {
            record.wouldBlock = block
            if record.verdict == .allowed { record.verdict = .observed }
        }
        record.wouldBlockStrict = inspector.firstStrictBlock
        if let received = receivedHash?.finish(), let sent = sentHash?.finish() {
            record.fidelity = RequestRecord.Fidelity(
                received: received.hexadecimal,
                forwarded: sent.hexadecimal
            )
        }
    }

    /// What is going on, in the words of the termination code.
    private var currentPhase: Termination.Phase {
        switch answer {
        case .relaying, .relayed, .own, .switched: return .responseBody
        case .awaited: break
        }
        if intake == .receiving, !owesContinue, !upstreamOwesContinue { return .body }
        switch leg {
        case .dialing: return .connecting
        case .none, .gone: return .waiting
        case .open:
            return departure == .complete || upstreamOwesContinue ? .responseHead : .body
        }
    }
}
