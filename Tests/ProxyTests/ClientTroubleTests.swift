import Dispatch
import Proxy
import TestSupport
import Testing
import Transport

/// Clients that leave, stop or stall in the middle: the upstream must see that it is no whole
/// request, and the record must say whose doing it was.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ClientTroubleTests {
    private static let start = Array(form([UInt8](repeating: 1, count: 300_000)).prefix(200_000))

    /// Sends a head and the first 200,000 bytes of a larger body, and waits until some arrived.
    private static func begin(
        _ client: RawClient,
        framing: String,
        until upstream: RecordingUpstream
    ) throws {
        let head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n\(framing)\r\n\r\n"
        try client.send(head + (framing.hasPrefix("T") ? "30d40\r\n" : ""))
        try client.send(start)
        #expect(upstream.wait { ($0.first?.receivedCount ?? 0) > start.count - 70_000 })
    }

    private static func expectCutUpload(
        _ upstream: RecordingUpstream,
        _ proxy: RunningProxy,
        termination: String
    ) throws {
        #expect(upstream.wait { $0.first?.ending != nil })
        let connection = try #require(upstream.connections.first)
        #expect(connection.ending == .reset)
        #expect(!String(decoding: connection.received, as: UTF8.self).hasSuffix("0\r\n\r\n"))
        let records = try proxy.records(ofRequests: 1)
        let record = try records.onlyRequest()
        #expect(record.text("upload.verdict") == "aborted")
        #expect(record.text("upload.termination") == termination)
        #expect(record.text("upload.blame") == "client")
        #expect(record.number("upload.received_bytes") == start.count)
        #expect(record.number("upload.parts.committed") == 0)
        #expect(records.parts.map { $0.text("upload.part.state") } == ["aborted"])
        #expect(records.parts.map { $0.value("upload.part.committed") as? Bool } == [false])
    }

    @Test(arguments: ["Content-Length: 500000", "Transfer-Encoding: chunked"])
    func aResetResetsTheUpstream(framing: String) throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            let client = try proxy.client()
            try Self.begin(client, framing: framing, until: upstream)
            client.socket.resetOnClose()
        }
        try Self.expectCutUpload(upstream, proxy, termination: "CD")
    }

    @Test(arguments: ["Content-Length: 500000", "Transfer-Encoding: chunked"])
    func anEarlyEndResetsTheUpstreamAndIsAnswered(framing: String) throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        try Self.begin(client, framing: framing, until: upstream)
        client.socket.finishSending()
        let response = try client.response()
        #expect(response.status == 400)
        #expect(response.text.contains("http.body_truncated"))
        try Self.expectCutUpload(upstream, proxy, termination: "CD")
    }

    @Test func aStallIsAnsweredInTime() throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.timeouts.bodyIdle = .milliseconds(150)
        }
        var client = try proxy.client()
        try Self.begin(client, framing: "Content-Length: 500000", until: upstream)
        let response = try client.response()
        #expect(response.status == 408)
        #expect(response.text.contains("http.body_timeout"))
        try Self.expectCutUpload(upstream, proxy, termination: "cD")
    }

    @Test func aHeadThatDoesNotComeIsAnsweredInTime() throws {
        let proxy = try RunningProxy { $0.timeouts.head = .milliseconds(100) }
        do {
            var client = try proxy.client()
            try client.send("GET / HT")
            let response = try client.response()
            #expect(response.status == 408)
            #expect(response.text.contains("http.head_timeout"))
            #expect(response.field("Connection") == "close")
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "cR")
        #expect(record.text("upload.verdict") == "aborted")
    }

    @Test func aHeadThatEndsEarlyIsAnswered() throws {
        let proxy = try RunningProxy()
        do {
            var client = try proxy.client()
            try client.send("GET / HTTP/1.1\r\n")
            client.socket.finishSending()
            #expect(try client.response().status == 400)
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "CR")
        #expect(record.text("event.code") == "http.head_incomplete")
    }

    @Test func aClientThatSaysNothingLeavesNoRecord() throws {
        let proxy = try RunningProxy { $0.timeouts.keepAlive = .milliseconds(100) }
        do {
            var silent = try proxy.client()
            #expect(try silent.next() == .end)
            var leaving = try proxy.client()
            leaving.socket.finishSending()
            #expect(try leaving.next() == .end)
        }
        let records = try proxy.records()
        #expect(records.requests.isEmpty)
        #expect(records.parts.isEmpty)
    }

    /// An empty line may precede a request; it does not buy another minute of silence.
    @Test func aDrippedEmptyLineDoesNotMoveTheClock() throws {
        let proxy = try RunningProxy { $0.timeouts.keepAlive = .seconds(2) }
        let client = try proxy.client()
        let start = Instant.now
        for byte in ["\r", "\n"] {
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(800))
            try client.send(byte)
        }
        #expect(try client.socket.receive() == .end)
        #expect(Instant.now - start < .milliseconds(3200))
    }

    /// A client may shut its writing side behind a complete request, and still want the answer.
    @Test func aHalfClosedClientIsAnswered() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.post(form([1, 2]))
            client.socket.finishSending()
            #expect(try client.response().text == "/u")
            #expect(try client.next() == .end)
        }
        #expect(try proxy.records().onlyRequest().text("upload.verdict") == "allowed")
    }
}
