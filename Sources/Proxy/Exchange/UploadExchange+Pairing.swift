internal import HTTP1
internal import Inspection
internal import Transport

/// Large uploads of one lane: the content of two is hashed at once.
extension UploadExchange {
    /// What makes an upload large: bytes read of it so far.
    private static let large = 512 << 10

    /// Fewer bytes than these are not worth being inspected together with others.
    private static let worthPairing = 128 << 10

    var pairing: UploadPairing { connection.proxyLane.pairing }

    /// Looks for another upload before what was read is inspected; false if that has to wait.
    func mayGoOn(from buffer: ByteBuffer) -> Bool {
        guard isPairable || becomesPairable() else { return true }
        let count = connection.inboundWindow.raw.count
        if count < Self.worthPairing { return count >= decoder.fewestBytesLeft || !gathers() }
        isGathering = false
        switch pairing.offer(self, on: lane) {
        case .goOn: return true
        case .wait: return false
        case .pair(let other):
            hash(buffer, besides: other)
            other.receive()
            // Whatever became of that one, this one goes on.
            return !isEnded && intake == .receiving
        }
    }

    private func becomesPairable() -> Bool {
        guard inspector.receivedOffset >= Self.large, rules.settings.policy.mode != .off else {
            return false
        }
        isPairable = true
        pairing.began()
        return true
    }

    /// Waits a moment for more to come, if another upload is there to go on with.
    private func gathers() -> Bool {
        guard pairing.isWorthWaiting, connection.stream.isQuiet else {
            isGathering = false
            return false
        }
        if !isGathering {
            isGathering = true
            lane.reluctantly { [weak self] in self?.endGathering() }
        }
        connection.stream.awaitReadable()
        return true
    }

    private func endGathering() {
        guard isGathering else { return }
        isGathering = false
        receive()
    }

    private func hash(_ buffer: ByteBuffer, besides other: UploadExchange) {
        guard !other.isEnded, other.intake == .receiving,
            let otherBuffer = other.connection.holdInbound()
        else { return }
        decodeArrived(buffer)
        other.decodeArrived(otherBuffer)
        let (mine, its) = (arrived, other.arrived)
        buffer.withBytes(mine) { bytes in
            otherBuffer.withBytes(its) { others in
                UploadInspector.hashAhead(&inspector, of: bytes, &other.inspector, of: others)
            }
        }
    }

    /// Where the bytes lie that were not inspected yet.
    private var arrived: Range<Int> { connection.inboundWindow.body.suffix(uninspectedCount) }

    /// Nothing more is hashed.
    func endPairing() {
        guard isPairable else { return }
        isPairable = false
        isGathering = false
        pairing.withdraw(self)
        pairing.ended()
    }
}
