internal import Audit
internal import HTTP1
internal import Inspection
internal import Transport

/// What the record of an exchange is made from, gathered while it runs.
struct ExchangeLog {
    let requestID: String
    let identity: ExchangeIdentity

    /// The client's address as text; empty on a Unix socket.
    let clientAddress: String

    let startedAt: UInt64
    private let timestamp: Int64

    private let stream: Stream
    private let writtenBefore: UInt64

    /// The upstream that was asked, and what was written to it.
    var destination: String?
    var destinationBytes = 0
    private var connectBeganAt: UInt64?
    private(set) var connectNanoseconds: UInt64?

    private(set) var status: Int?
    private(set) var problem: Problem?
    private(set) var termination = Termination.normal

    private var partSequence: UInt64 = 0
    private var committedParts = 0

    /// Begins the log of an exchange that has no request.
    init(on connection: ClientConnection) {
        self.init(
            on: connection,
            requestID: RequestID.make(from: &connection.lane.random),
            client: connection.peerIP,
            names: nil
        )
    }

    /// Begins the log of an exchange.
    ///
    /// - Parameters:
    ///   - connection: Whose it is.
    ///   - requestID: The exchange's own id.
    ///   - client: The address of the client, which may be another than the connection's peer.
    ///   - names: What the request is called elsewhere.
    init(
        on connection: ClientConnection,
        requestID: String,
        client: String?,
        names: RequestNames?
    ) {
        let peer = connection.stream.peer
        self.requestID = requestID
        identity = ExchangeIdentity(
            requestID: requestID,
            forwardedID: names?.requestID,
            traceID: names?.trace.traceID,
            sourceAddress: connection.socketIP,
            sourcePort: peer.port.map { Int($0) },
            clientAddress: client,
            clientPort: Self.port(of: client, on: connection)
        )
        clientAddress = client ?? ""
        stream = connection.stream
        writtenBefore = stream.bytesWritten
        startedAt = connection.now
        timestamp = WallClock.nanosecondsSince1970()
    }

    /// The client's port, where a load balancer has told it.
    private static func port(of client: String?, on connection: ClientConnection) -> Int? {
        let peer = connection.peer
        return peer == connection.stream.peer || client != connection.peerIP
            ? nil : peer.port.map { Int($0) }
    }

    mutating func connectBegan(at now: UInt64) { connectBeganAt = now }

    mutating func connectEnded(at now: UInt64) {
        guard let began = connectBeganAt, now >= began else { return }
        connectNanoseconds = now - began
    }

    /// The upstream's final answer has begun.
    mutating func answered(_ status: Int) { self.status = status }

    /// Weir answers itself.
    mutating func answered(_ problem: Problem) {
        status = problem.status
        self.problem = problem
    }

    /// Weir refuses the connection, and says nothing.
    mutating func refused(_ problem: Problem) { self.problem = problem }

    /// Notes who ended the exchange before its time; the first word counts.
    mutating func end(by party: Termination.Party, in phase: Termination.Phase) {
        if termination == .normal { termination = Termination(by: party, in: phase) }
    }

    /// The record of a part that has closed.
    mutating func record(of part: PartReport) -> PartRecord {
        partSequence += 1
        if part.isCommitted { committedParts += 1 }
        return PartRecord(
            identity: identity,
            timestampNanoseconds: WallClock.nanosecondsSince1970(),
            sequence: partSequence,
            report: part,
            sniffedType: part.sniffedType
        )
    }

    /// The record of the exchange, with all that is known without its request.
    func record(at now: UInt64) -> RequestRecord {
        var record = RequestRecord(identity: identity, timestampNanoseconds: timestamp)
        record.durationNanoseconds = now &- startedAt
        record.status = status
        record.termination = termination
        record.responseBytes = Int(clamping: stream.bytesWritten - writtenBefore)
        record.destinationAddress = destination
        record.destinationBytes = destinationBytes
        record.timing.connectNanoseconds = connectNanoseconds
        record.parts.committed = committedParts
        record.blame = blame
        if let problem {
            record.findings = problem.finding.map { [$0] } ?? []
            record.verdict = isRefusal ? .blocked : .aborted
        } else {
            record.verdict = termination == .normal ? .allowed : .aborted
        }
        return record
    }

    /// Weir ended it, because of what the client sent.
    private var isRefusal: Bool { termination.party == .weir && problem?.blamesProxy == false }

    private var blame: RequestRecord.Blame {
        switch termination.party {
        case .client, .clientTimeout: .client
        case .upstream, .upstreamTimeout: .upstream
        case .shutdown: .proxy
        case .weir: problem?.blamesProxy == true ? .proxy : .client
        case .nobody: .none
        }
    }
}
