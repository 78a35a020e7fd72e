import Foundation
import HTTP1
import Inspection
import Proxy
import TestSupport
import Testing

/// Uploads that pass: what the upstream gets is what the client sent.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ExchangeTests {
    /// Around the edges of pages, of the hold and of the read buffer.
    private static let sizes = [
        0, 1, 4095, 4096, 4097, 65_535, 65_536, 65_537, 262_143, 262_144, 262_145, (1 << 20) + 1,
    ]

    private static func pieceSize(for size: Int, using random: inout SplitMix64) -> Int {
        size < 5000
            ? [1, 7, 700, .max][Int.random(in: 0..<4, using: &random)]
            : [9000, 65_536, .max][Int.random(in: 0..<3, using: &random)]
    }

    @Test(arguments: [(1, formType), (2, formType), (3, "text/plain")] as [(UInt64, String)])
    func declaredBodiesArriveAsTheyWereSent(seed: UInt64, type: String) throws {
        var random = SplitMix64(seed: seed)
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) { $0.fidelity = true }
        var bodies: [[UInt8]] = []
        do {
            var client = try proxy.client()
            for size in Self.sizes {
                let content = randomBytes(size, using: &random)
                let body = type == formType ? form(content) : content
                bodies.append(body)
                let piece = Self.pieceSize(for: size, using: &random)
                try client.post(body, type: type, path: "/\(size)", inPiecesOf: piece)
                let response = try client.response()
                #expect(response.status == 200)
                #expect(response.text == "/\(size)")
            }
        }
        try Self.expect(upstream, got: bodies, over: 1)
        try Self.expectRecords(of: proxy, bodies: bodies, framing: "length")
    }

    @Test(arguments: [(11, formType), (12, formType), (13, "text/plain")] as [(UInt64, String)])
    func chunkedBodiesArriveAsTheyWereSent(seed: UInt64, type: String) throws {
        var random = SplitMix64(seed: seed)
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) { $0.fidelity = true }
        var bodies: [[UInt8]] = []
        do {
            var client = try proxy.client()
            for size in Self.sizes {
                let content = randomBytes(size, using: &random)
                let body = type == formType ? form(content) : content
                bodies.append(body)
                let head =
                    "PUT /\(size) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n"
                let largest = size < 5000 ? 300 : [20_000, 200_000][Int(seed % 2)]
                let encoded = chunked(body, largest: largest, using: &random)
                let piece = Self.pieceSize(for: size, using: &random)
                try client.send(Array(head.utf8) + encoded, inPiecesOf: piece)
                #expect(try client.response().text == "/\(size)")
            }
        }
        try Self.expect(upstream, got: bodies, over: 1)
        try Self.expectRecords(of: proxy, bodies: bodies, framing: "chunked")
    }

    private static func expect(
        _ upstream: RecordingUpstream,
        got bodies: [[UInt8]],
        over connections: Int
    ) throws {
        let requests = upstream.requests
        #expect(upstream.connections.count == connections)
        try #require(requests.count == bodies.count)
        for (request, body) in zip(requests, bodies) {
            #expect(request.isComplete)
            #expect(request.body == body, "\(body.count) bytes")
        }
    }

    /// One record a request and one a part, which say what was sent.
    private static func expectRecords(
        of proxy: RunningProxy,
        bodies: [[UInt8]],
        framing: String
    ) throws {
        let records = try proxy.records()
        try #require(records.requests.count == bodies.count)
        #expect(records.parts.count == bodies.count)
        #expect(Set(records.requests.map { $0.text("transaction.id") }).count == bodies.count)
        for (record, body) in zip(records.requests, bodies) {
            let id = record.text("transaction.id")
            #expect(record.text("upload.verdict") == "allowed")
            #expect(record.text("upload.termination") == "--")
            #expect(record.text("upload.blame") == "none")
            #expect(record.text("upload.framing") == framing)
            #expect(record.number("upload.received_bytes") == body.count)
            #expect(record.number("upload.forwarded_bytes") == body.count)
            #expect(record.number("upload.parts.committed") == 1)
            let received = record.text("upload.fidelity.received_sha256")
            #expect(received == record.text("upload.fidelity.forwarded_sha256"))
            if body.count < 5000 { #expect(received == referenceSHA256(body)) }
            let parts = records.parts.filter { $0.text("transaction.id") == id }
            #expect(parts.count == 1)
            #expect(parts.first?.text("upload.part.state") == "complete")
            #expect(parts.first?.value("upload.part.committed") as? Bool == true)
        }
    }

    /// More than all buffers on the way hold: the client has to wait for the upstream.
    @Test(arguments: ["text/plain", formType])
    func anUpstreamThatReadsLate(type: String) throws {
        var random = SplitMix64(seed: 21)
        let content = randomBytes(12 << 20, using: &random)
        let body = type == formType ? form(content) : content
        let mayRead = DispatchSemaphore(value: 0)
        let upstream = try RecordingUpstream { peer in
            mayRead.wait()
            try peer.answerAll()
        }
        let proxy = try RunningProxy(upstream: upstream.port) { $0.fidelity = true }
        do {
            var client = try proxy.client()
            let sending = client
            let hasSent = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                try? sending.post(body, type: type)
                hasSent.signal()
            }
            #expect(upstream.wait { $0.count == 1 })
            mayRead.signal()
            #expect(try client.response().text == "/u")
            #expect(hasSent.wait(timeout: .now() + 15) == .success)
        }
        #expect(upstream.requests.first?.body == body)
        let record = try proxy.records().onlyRequest()
        #expect(record.number("upload.forwarded_bytes") == body.count)
        #expect(record.milliseconds("upload.timing.upstream_wait_ms") ?? 0 > 0)
        let received = record.text("upload.fidelity.received_sha256")
        #expect(received == record.text("upload.fidelity.forwarded_sha256"))
    }

    @Test func answersArriveAsTheyWereSent() throws {
        var random = SplitMix64(seed: 31)
        let bodies = Self.sizes.map { randomBytes($0, using: &random) }
        let encoded = bodies.map { chunked($0, largest: 70_000, using: &random) }
        let upstream = try RecordingUpstream { peer in
            for (index, body) in bodies.enumerated() {
                _ = try peer.request()
                if index % 2 == 0 {
                    try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n")
                    try peer.send(body)
                } else {
                    try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                    try peer.send(encoded[index])
                }
            }
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        do {
            // A client that takes little at a time.
            var client = try proxy.client(receiveBuffer: 8192)
            for body in bodies {
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                let response = try client.response()
                #expect(response.isComplete)
                #expect(response.body == body, "\(body.count) bytes")
            }
        }
        #expect(upstream.connections.count == 1)
        #expect(try proxy.records().requests.count == bodies.count)
    }

    @Test func observeChangesNothingAndSaysWhatEnforceWouldHaveDone() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) { $0.policy.mode = .observe }
        let bad = Array("preamble\r\n--b--".utf8)
        do {
            var client = try proxy.client()
            try client.post(bad)
            #expect(try client.response().status == 200)
            try client.post(form([1, 2, 3]))
            #expect(try client.response().status == 200)
        }
        #expect(upstream.requests.map(\.body) == [bad, form([1, 2, 3])])
        let records = try proxy.records().requests
        #expect(records.map { $0.text("upload.verdict") } == ["observed", "allowed"])
        #expect(records.first?.text("upload.would_block.code") == "preamble.present")
        #expect(records.first?.number("upload.would_block.offset") == 0)
        #expect(records.last?.value("upload.would_block") == nil)
    }

    @Test func offOnlyRelays() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) { $0.policy.mode = .off }
        do {
            var client = try proxy.client()
            try client.post(Array("nonsense".utf8))
            #expect(try client.response().status == 200)
        }
        #expect(upstream.requests.map(\.text) == ["nonsense"])
        let records = try proxy.records()
        #expect(try records.onlyRequest().text("upload.verdict") == "allowed")
        #expect(records.parts.isEmpty)
    }

    @Test func aSinkAnswersWithTheParts() throws {
        let proxy = try RunningProxy()
        do {
            var client = try proxy.client()
            try client.post(form([1, 2, 3]))
            let response = try client.response()
            #expect(response.status == 201)
            #expect(response.field("Content-Type") == "application/json")
            #expect(response.text.contains(#""size":3,"sha256":"\#(referenceSHA256([1, 2, 3]))""#))
            try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try client.response().status == 200)
            try client.post(Array("--x".utf8))
            #expect(try client.response().status == 400)
        }
        let records = try proxy.records()
        #expect(
            records.requests.map { $0.text("upload.verdict") } == ["allowed", "allowed", "blocked"]
        )
        #expect(records.parts.count == 1)
    }
}
