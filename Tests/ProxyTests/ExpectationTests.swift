import Dispatch
import Proxy
import Testing

/// Requests that wait for a 100 (Continue): whose turn it is, and what may end meanwhile.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ExpectationTests {
    /// A body that is not inspected before it leaves: its expectation is the upstream's to meet.
    private static let put =
        "PUT / HTTP/1.1\r\nHost: h\r\nContent-Type: text/plain\r\n"
        + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n"

    private static func expecting(_ body: [UInt8]) -> String {
        "POST /e HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n"
            + "Expect: 100-continue\r\nContent-Length: \(body.count)\r\n\r\n"
    }

    @Test func anUpstreamThatNeverInvitesIsBlamed() throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.timeouts.bodyIdle = .milliseconds(100)
            $0.timeouts.firstByte = .milliseconds(600)
        }
        do {
            var client = try proxy.client()
            try client.send(Self.put)
            let response = try client.response()
            #expect(response.status == 504)
            #expect(response.text.contains("upstream.no_answer"))
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "sH")
        #expect(record.text("upload.blame") == "upstream")
        #expect(record.milliseconds("upload.timing.client_wait_ms") == 0)
    }

    @Test func aLateInvitationIsNotTheClientsFault() throws {
        let upstream = try RecordingUpstream { peer in
            guard try peer.head() != nil else { return }
            // Longer than the client may be silent once it is its turn.
            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(700))
            try peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            try peer.receive(total: 1)
            try peer.answer("done")
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.timeouts.bodyIdle = .milliseconds(300)
        }
        var client = try proxy.client()
        try client.send(Self.put)
        #expect(try client.response().status == 100)
        try client.send("abc")
        #expect(try client.response().text == "done")
    }

    @Test func afterTheInvitationItIsTheClientsTurn() throws {
        let upstream = try RecordingUpstream { peer in
            guard try peer.head() != nil else { return }
            try peer.send("HTTP/1.1 100 Continue\r\n\r\n")
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.timeouts.bodyIdle = .milliseconds(200)
        }
        do {
            var client = try proxy.client()
            try client.send(Self.put)
            #expect(try client.response().status == 100)
            #expect(try client.response().status == 408)
        }
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "cD")
        #expect(record.text("upload.blame") == "client")
    }

    /// A connection that the upstream closes before it was told anything says nothing.
    @Test func aConnectionClosedUnusedIsMadeAnew() throws {
        let release = DispatchSemaphore(value: 0)
        let upstream = try RecordingUpstream { peer in
            guard peer.number == 0 else { return try peer.answerAll() }
            release.wait()
            try peer.leave()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            var client = try proxy.client()
            let body = form([1, 2, 3])
            try client.send(Self.expecting(body))
            #expect(try client.response().status == 100)
            release.signal()
            #expect(upstream.wait { $0.first?.isOver == true })
            try client.send(body)
            #expect(try client.response().text == "/e")
        }
        #expect(upstream.requests.map(\.body) == [form([1, 2, 3])])
        #expect(try proxy.records().onlyRequest().text("upload.termination") == "--")
    }

    /// What an upstream says when it tires of an idle connection answers no request.
    @Test func aFarewellIsNoAnswer() throws {
        let release = DispatchSemaphore(value: 0)
        let upstream = try RecordingUpstream { peer in
            guard peer.number == 0 else { return try peer.answerAll() }
            _ = try peer.request()
            try peer.answer("first")
            release.wait()
            try peer.send("HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n")
            try peer.leave()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        var client = try proxy.client()
        try client.post(form([0]))
        #expect(try client.response().text == "first")
        let body = form([1, 2, 3])
        try client.send(Self.expecting(body))
        #expect(try client.response().status == 100)
        release.signal()
        #expect(upstream.wait { $0.first?.isOver == true })
        try client.send(body)
        #expect(try client.response().text == "/e")
    }
}
