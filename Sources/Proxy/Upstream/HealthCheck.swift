internal import HTTP1
internal import Transport

/// One question to an address whether it is well: a GET on a connection of its own.
///
/// A final answer of 2xx or 3xx is a yes; any other, or none in time, is a no.
final class HealthCheck: StreamDelegate {
    private let endpoint: UpstreamEndpoint
    private let lane: Lane
    private let request: [UInt8]
    private let completion: () -> Void
    private var attempt: ConnectAttempt?
    private var stream: Stream?
    private var parser = ResponseHeadParser(limits: HeadLimits())
    private var isOver = false

    private lazy var deadline = Deadline(on: lane.deadlines) { [weak self] in
        self?.end("no answer in time")
    }

    /// Prepares the question.
    ///
    /// - Parameters:
    ///   - endpoint: Who is asked, and told what came of it.
    ///   - target: The request-target.
    ///   - lane: Where this runs.
    ///   - completion: Called at the end, unless it is cancelled.
    init(
        of endpoint: UpstreamEndpoint,
        target: String,
        on lane: Lane,
        completion: @escaping () -> Void
    ) {
        self.endpoint = endpoint
        self.lane = lane
        self.completion = completion
        let host = endpoint.upstream.path == nil ? endpoint.upstream.description : "localhost"
        let head = [
            "GET \(target) HTTP/1.1", "Host: \(host)", "User-Agent: weir", "Connection: close",
        ]
        request = Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    func start(within time: Duration) {
        deadline.set(after: time)
        attempt = Stream.connect(to: endpoint.address, on: lane) { [weak self] result in
            guard let self, !isOver else { return }
            attempt = nil
            switch result {
            case .success(let stream): ask(on: stream)
            case .failure(let error) where error.isLocal: leave()
            case .failure(let error): end(error.text)
            }
        }
    }

    func cancel() {
        isOver = true
        deadline.clear()
        attempt?.cancel()
        stream?.close()
    }

    /// The request is smaller than any socket's buffer: it leaves in one write.
    private func ask(on stream: Stream) {
        self.stream = stream
        stream.delegate = self
        guard case .bytes(request.count) = stream.write(Pieces(prefix: request)) else {
            return end("it takes no request")
        }
        stream.awaitReadable()
    }

    func streamIsReadable(_ stream: Stream) {
        guard !isOver, let buffer = try? lane.buffers.take() else { return }
        defer { lane.buffers.give(buffer) }
        while !isOver {
            switch stream.read(into: buffer, 0..<buffer.capacity) {
            case .bytes(let count): parse(0..<count, of: buffer)
            case .wouldBlock: return stream.awaitReadable()
            case .end, .failed: end("it closed without an answer")
            }
        }
    }

    func streamIsWritable(_ stream: Stream) {}

    private func parse(_ range: Range<Int>, of buffer: ByteBuffer) {
        var rest = range
        do {
            while !rest.isEmpty {
                let consumed = try buffer.withBytes(rest) { bytes throws(HTTPFault) in
                    try parser.consume(bytes)
                }
                rest = rest.lowerBound + consumed..<rest.upperBound
                guard parser.isComplete else { return }
                let head = try parser.takeHead(answering: "GET")
                if head.isInterim { continue }
                return end((200..<400).contains(head.status) ? nil : "it answers \(head.status)")
            }
        } catch {
            end("its answer is malformed")
        }
    }
}

extension HealthCheck {
    private func end(_ trouble: String?) {
        guard !isOver else { return }
        if let trouble { endpoint.failedCheck(trouble) } else { endpoint.passedCheck() }
        leave()
    }

    /// Ends without an answer, or after it.
    private func leave() {
        cancel()
        completion()
    }
}
