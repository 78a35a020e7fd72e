import Foundation

/// An upstream on a free port that does what a script says, and remembers all that came.
///
/// `Sendable` because what changes lies behind the condition's lock. Each connection has a thread
/// of its own, so a script may block; all its waits have an end.
final class RecordingUpstream: @unchecked Sendable {
    typealias Request = MessageReader.Message
    typealias Script = @Sendable (_ peer: inout UpstreamPeer) throws -> Void

    /// What came on one connection.
    struct Connection {
        var requests: [Request] = []
        var received: [UInt8] = []

        /// How many bytes have come, also while a script is still reading.
        var receivedCount = 0
        var ending: TestSocket.Arrival?

        /// The script is over, and this side has said so.
        var isOver = false
    }

    let port: UInt16
    private let listener: TestSocket
    private let condition = NSCondition()
    private var log: [Connection] = []

    /// Listens; the default script answers every request with 200 and its own target.
    init(_ script: @escaping Script = { try $0.answerAll() }) throws {
        (listener, port) = try TestSocket.listening()
        Thread.detachNewThread { [weak self, listener] in
            while let socket = listener.accepted(), let upstream = self {
                let number = upstream.begin()
                Thread.detachNewThread {
                    var peer = UpstreamPeer(socket, number: number, of: upstream)
                    try? script(&peer)
                    socket.finishSending()
                    upstream.change { $0[number].isOver = true }
                }
            }
        }
    }

    deinit { listener.stopListening() }

    func stop() { listener.stopListening() }

    /// What has come so far, on one connection after the other.
    var connections: [Connection] {
        condition.withLock { log }
    }

    var requests: [Request] { connections.flatMap(\.requests) }

    /// Waits until what has come is as `isMet` wants it; false if that is not so in time.
    func wait(until isMet: ([Connection]) -> Bool) -> Bool {
        let end = Date(timeIntervalSinceNow: 15)
        condition.lock()
        defer { condition.unlock() }
        while !isMet(log) {
            guard condition.wait(until: end) else { return isMet(log) }
        }
        return true
    }

    private func begin() -> Int {
        change { log in
            log.append(Connection())
            return log.count - 1
        }
    }

    @discardableResult
    fileprivate func change<Result>(_ body: (inout [Connection]) -> Result) -> Result {
        condition.lock()
        defer {
            condition.broadcast()
            condition.unlock()
        }
        return body(&log)
    }
}

/// The upstream's end of one connection, in the hands of a script.
struct UpstreamPeer {
    let socket: TestSocket

    /// Which connection this is, from 0.
    let number: Int

    private let upstream: RecordingUpstream
    private var reader: MessageReader

    fileprivate init(_ socket: TestSocket, number: Int, of upstream: RecordingUpstream) {
        self.socket = socket
        self.number = number
        self.upstream = upstream
        reader = MessageReader(socket)
    }

    /// Reads a request to its end and records it; nil at the end of the stream.
    mutating func request() throws -> RecordingUpstream.Request? {
        defer { note() }
        guard var message = try reader.readHead() else { return nil }
        try reader.readBody(of: &message)
        upstream.change { [number] in $0[number].requests.append(message) }
        return message.isComplete ? message : nil
    }

    /// Reads a head only.
    mutating func head() throws -> RecordingUpstream.Request? {
        defer { note() }
        return try reader.readHead()
    }

    /// Reads until at least `count` bytes have come in all.
    mutating func receive(total count: Int) throws {
        defer { note() }
        while reader.received.count < count, try reader.readMore() { noteCount() }
    }

    /// Reads whatever comes, up to the end of the stream.
    mutating func drain() throws {
        defer { note() }
        while try reader.readMore() { noteCount() }
    }

    /// Says that no more comes, and waits until the proxy has seen that and closed its side.
    mutating func leave() throws {
        socket.finishSending()
        try drain()
    }

    func send(_ text: String) throws { try socket.send(text.utf8) }

    func send(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    /// Answers 200 with `body`.
    func answer(_ body: String, fields: String = "") throws {
        try send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
    }

    /// Answers every request with its own target, until no more come.
    mutating func answerAll() throws {
        while let request = try request() {
            let words = request.startLine.split(separator: " ")
            try answer(words.count > 1 ? String(words[1]) : "")
        }
    }

    private func note() {
        let (received, ending) = (reader.received, reader.ending)
        upstream.change { [number] in
            $0[number].received = received
            $0[number].receivedCount = received.count
            $0[number].ending = ending
        }
    }

    private func noteCount() {
        let count = reader.received.count
        upstream.change { [number] in $0[number].receivedCount = count }
    }
}
