internal import Audit
internal import HTTP1
internal import Inspection
internal import Transport

/// An exchange without a request: its head was refused, or never became whole.
///
/// The client gets the reason, the connection ends, and the record says why. Who breaks the PROXY
/// protocol gets nothing: it did not say that it speaks HTTP.
final class RefusedExchange: Exchange {
    /// It holds this exchange as well, and lets go of it when it ends.
    private let connection: ClientConnection
    private let problem: Problem
    private let party: Termination.Party
    private let receivedBytes: Int
    private let isSilent: Bool
    private var log: ExchangeLog
    private var isEnded = false

    /// Prepares the refusal.
    ///
    /// - Parameters:
    ///   - problem: Why.
    ///   - party: Who ended it.
    ///   - received: Bytes of the head that had come.
    ///   - silently: The client is not answered.
    ///   - connection: Whose it is.
    init(
        _ problem: Problem,
        by party: Termination.Party,
        received: Int,
        silently: Bool = false,
        on connection: ClientConnection
    ) {
        self.connection = connection
        self.problem = problem
        self.party = party
        receivedBytes = received
        isSilent = silently
        log = ExchangeLog(on: connection)
    }

    func begin() {
        log.end(by: party, in: .requestHead)
        if isSilent {
            log.refused(problem)
            return breakOff()
        }
        log.answered(problem)
        connection.output.append(
            problem.answer(requestID: log.requestID, isHead: false, closes: true)
        )
        if connection.flush() { end() }
    }

    func clientIsReadable() {}
    func upstreamTimedOut() {}

    func clientIsWritable() {
        if connection.flush() { end() }
    }

    func clientTimedOut() { breakOff() }
    func clientFailed() { breakOff() }
    func clientBroke() { breakOff() }
    func clientFinishedSending() {}
    func cut() { breakOff() }

    var statusLine: String { "\(log.requestID) \(log.clientAddress) refused: \(problem.code)" }

    private func end() {
        guard !isEnded else { return }
        record()
        connection.exchangeEnded(keepsAlive: false)
    }

    private func breakOff() {
        guard !isEnded else { return }
        record()
        connection.exchangeBroke(resets: false)
    }

    private func record() {
        isEnded = true
        let settings = connection.proxyLane.settings
        var record = log.record(at: connection.now)
        record.requestBytes = receivedBytes
        record.mode = settings.policy.mode
        record.profile = settings.policy.profile
        connection.proxyLane.records.append(record)
    }
}
