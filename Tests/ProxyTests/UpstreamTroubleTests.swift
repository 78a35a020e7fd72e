import Proxy
import TestSupport
import Testing

/// Upstreams that are away, late, early or broken.
@Suite(.serialized, .timeLimit(.minutes(1))) struct UpstreamTroubleTests {
    private static let get = "GET /g HTTP/1.1\r\nHost: h\r\n\r\n"

    @Test func nobodyListens() throws {
        // A port that was free a moment ago, and that nobody listens on any more.
        let (socket, port) = try TestSocket.listening()
        socket.stopListening()
        let proxy = try RunningProxy(upstream: port)
        do {
            var client = try proxy.client()
            try client.post(form([1]))
            let response = try client.response()
            #expect(response.status == 502)
            #expect(response.text.contains("upstream.refused"))
            // The request was read to its end, so the connection may go on.
            try client.send(Self.get)
            #expect(try client.response().status == 502)
        }
        let records = try proxy.records().requests
        #expect(records.map { $0.text("upload.verdict") } == ["aborted", "aborted"])
        #expect(records.map { $0.text("upload.blame") } == ["upstream", "upstream"])
        #expect(records.first?.text("event.code") == "upstream.refused")
    }

    @Test(arguments: ["", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nContent-Le"])
    func itClosesWithoutAWholeHead(beginning: String) throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.send(beginning)
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.post(form([1]))
            let response = try client.response()
            #expect(response.status == 502)
            #expect(response.text.contains("upstream.closed"))
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "SH")
        #expect(record.text("upload.blame") == "upstream")
        // Not tried again: an upload is not done twice.
        #expect(upstream.connections.count == 1)
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "nonsense\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
    ])
    func itAnswersNonsense(answer: String) throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.send(answer)
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.send(Self.get)
            let response = try client.response()
            #expect(response.status == 502)
            #expect(response.text.contains("upstream.malformed_answer"))
        }
        #expect(upstream.wait { $0.first?.ending != nil })
        #expect(try proxy.records().onlyRequest().text("upload.verdict") == "aborted")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nx",
    ])
    func anAnswerThatIsCutLooksCut(answer: String) throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.send(answer)
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            let client = try proxy.client()
            try client.send(Self.get)
            let (bytes, endsInOrder) = try client.socket.receiveToEnd()
            #expect(!endsInOrder)
            #expect(!String(decoding: bytes, as: UTF8.self).hasSuffix("0\r\n\r\n"))
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "SL")
        #expect(record.text("upload.verdict") == "aborted")
    }

    @Test func anAnswerThatEndsWithTheConnection() throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.send("HTTP/1.1 200 OK\r\n\r\nall of it")
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.send(Self.get)
            let response = try client.response()
            #expect(response.text == "all of it")
            #expect(response.isComplete)
        }
        #expect(try proxy.records().onlyRequest().text("upload.termination") == "--")
    }

    @Test func anIdleConnectionThatWasClosedIsNotUsed() throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.answer("\(peer.number)")
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        for number in 0..<3 {
            try client.post(form([1]))
            #expect(try client.response().text == "\(number)")
            #expect(upstream.wait { $0.count > number && $0[number].isOver })
        }
    }

    /// A pooled connection that is closed in answer to a request: the request may have been seen.
    @Test func onlyWhatMayBeDoneTwiceIsTriedAgain() throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            try peer.answer("\(peer.number)")
            _ = try peer.request()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            try client.send(Self.get)
            #expect(try client.response().text == "0")
            try client.send(Self.get)
            #expect(try client.response().text == "1")
            try client.post(form([1]))
            #expect(try client.response().status == 502)
        }
        #expect(upstream.connections.count == 2)
        #expect(try proxy.records().requests.count == 3)
    }

    @Test(arguments: ["Content-Length: 500000", "Transfer-Encoding: chunked"])
    func anEarlyAnswerGoesToTheClientAtOnce(framing: String) throws {
        let upstream = try RecordingUpstream { peer in
            _ = try peer.head()
            try peer.send("HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nfull")
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        let start = Array(form([UInt8](repeating: 1, count: 300_000)).prefix(200_000))
        do {
            var client = try proxy.client()
            let head =
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n\(framing)\r\n\r\n"
            try client.send(head + (framing.hasPrefix("T") ? "30d40\r\n" : ""))
            try client.send(start)
            // The rest is never sent.
            let response = try client.response()
            #expect(response.status == 413)
            #expect(response.text == "full")
            #expect(response.field("Connection") == "close")
            #expect(try client.next() == .end)
        }
        #expect(upstream.wait { $0.first?.ending != nil })
        #expect(upstream.connections.first?.ending == .reset)
        let records = try proxy.records()
        let record = try records.onlyRequest()
        #expect(record.text("upload.termination") == "SD")
        #expect(record.number("http.response.status_code") == 413)
        #expect(records.parts.map { $0.text("upload.part.state") } == ["aborted"])
    }

    @Test func anUpstreamThatDoesNotAnswerInTime() throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.timeouts.firstByte = .milliseconds(100)
        }
        do {
            var client = try proxy.client()
            try client.post(form([1]))
            let response = try client.response()
            #expect(response.status == 504)
            #expect(response.text.contains("upstream.no_answer"))
        }
        #expect(upstream.wait { $0.first?.ending != nil })
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "sH")
        #expect(record.text("upload.blame") == "upstream")
    }
}
