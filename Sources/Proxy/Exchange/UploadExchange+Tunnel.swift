internal import Audit
internal import HTTP1
internal import Inspection
internal import Transport

/// After a switch of protocols: what comes from one side goes to the other, unread.
///
/// What a client sends behind an upgrade waits until the upstream has answered: with 101 it is the
/// tunnel's, and with anything else the next request. Each direction stops reading while the other
/// side takes no more, and ends by itself: who has finished sending may still receive.
extension UploadExchange {
    private static let readsPerTurn = 8

    /// Passes the 101 on.
    func switchProtocols(_ head: ResponseHead) {
        response = head
        keepsClient = false
        tunnel = Tunnel(report: TunnelReport(name: head.upgrade ?? ""))
        log.answered(head.status)
        let forwarding = ResponseForwarding(response: head, to: request, closes: false)
        connection.output.append(forwarding.head())
        upstreamWait.end(at: now)
        answer = .switched
    }

    /// Moves what there is on both sides.
    func continueTunnel() {
        noteTraffic()
        tunnelFromUpstream()
        tunnelFromClient()
    }

    func tunnelFromClient() {
        guard !isEnded, leg == .open, let upstream else { return }
        guard let buffer = connection.holdInbound() else {
            return breakOff(by: .weir, resets: true)
        }
        for _ in 0...Self.readsPerTurn {
            tunnel?.report.clientBytes += connection.inboundWindow.takeRaw()
            guard passToUpstream(upstream, from: buffer) else { return }
            if tunnel?.hasClientFinished == true {
                upstream.stream.shutdownWrite()
                return endTunnelIfOver()
            }
            let free = connection.inboundWindow.free(in: buffer)
            switch connection.stream.read(into: buffer, free) {
            case .bytes(let count):
                noteTraffic()
                connection.inboundWindow.receive(count)
            case .wouldBlock:
                connection.releaseEmptyBuffers()
                return connection.stream.awaitReadable()
            case .end:
                tunnel?.hasClientFinished = true
            case .failed:
                return clientFailed()
            }
        }
        lane.later { [weak self] in self?.tunnelFromClient() }
    }

    /// Writes what has come from the client; false where not all of it was taken.
    private func passToUpstream(_ upstream: UpstreamConnection, from buffer: ByteBuffer) -> Bool {
        while true {
            let progress = toUpstream.write(
                to: upstream.stream,
                lending: &connection.inboundWindow,
                of: buffer
            )
            switch progress {
            case .done:
                // What has been read since the last write began comes behind it.
                let count = connection.inboundWindow.body.count
                if count == 0 { return true }
                toUpstream.append(run: count)
            case .blocked:
                upstream.stream.awaitWritable()
                return false
            case .failed:
                breakOff(by: .upstream, resets: true)
                return false
            }
        }
    }

    func tunnelFromUpstream() {
        guard !isEnded, leg == .open, let upstream, connection.flush() else { return }
        guard let buffer = connection.holdOutbound() else {
            return breakOff(by: .weir, resets: true)
        }
        for _ in 0...Self.readsPerTurn {
            tunnel?.report.upstreamBytes += connection.outboundWindow.takeRaw()
            connection.output.append(run: connection.outboundWindow.body.count)
            guard connection.flush() else { return }
            if tunnel?.hasUpstreamFinished == true {
                connection.stream.shutdownWrite()
                return endTunnelIfOver()
            }
            let free = connection.outboundWindow.free(in: buffer)
            switch upstream.stream.read(into: buffer, free) {
            case .bytes(let count):
                noteTraffic()
                connection.outboundWindow.receive(count)
            case .wouldBlock:
                connection.releaseEmptyBuffers()
                return upstream.stream.awaitReadable()
            case .end:
                tunnel?.hasUpstreamFinished = true
            case .failed:
                return breakOff(by: .upstream, resets: true)
            }
        }
        lane.later { [weak self] in self?.tunnelFromUpstream() }
    }

    /// Both sides have sent all they will, and all of it has been passed on.
    private func endTunnelIfOver() {
        guard let tunnel, tunnel.hasClientFinished, tunnel.hasUpstreamFinished,
            toUpstream.isEmpty, connection.output.isEmpty
        else { return }
        answer = .relayed
        conclude()
    }

    private func noteTraffic() { upstreamDeadline.set(after: rules.settings.timeouts.tunnel) }

    /// Nothing has moved for too long: whose turn it was is whose fault it is.
    func tunnelIsIdle() {
        let hasMoved = (hasUpstreamMoved(), connection.hasClientMoved())
        if hasMoved.0 || hasMoved.1 { return noteTraffic() }
        let isUpstreamsTurn = !toUpstream.isEmpty || tunnel?.hasClientFinished == true
        breakOff(by: isUpstreamsTurn ? .upstreamTimeout : .clientTimeout, resets: true)
    }
}

extension RequestHead {
    /// The protocol it may switch to: offered alone, allowed here, and without a body, behind which
    /// the new protocol would begin where the two sides may not agree.
    func allowedUpgrade(under settings: ProxySettings) -> String? {
        guard let upgrade, framing == .none, settings.destination != .sink,
            settings.policy.upgrades.contains(upgrade)
        else { return nil }
        return upgrade
    }
}
