import Foundation
import Inspection
import Proxy
import TestSupport
import Testing

/// Uploads that do not pass: the upstream never sees a complete one, and the client is told why.
@Suite(.serialized, .timeLimit(.minutes(1))) struct RefusalTests {
    private static func problem(_ response: RawClient.Response) throws -> [String: Any] {
        #expect(response.field("Content-Type") == "application/problem+json")
        #expect(response.isComplete)
        let object = try JSONSerialization.jsonObject(with: Data(response.body))
        return try #require(object as? [String: Any])
    }

    /// One row: what is sent, and what is said to it.
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let type: String
        let body: String
        let status: Int
        let code: String
        let offset: Int
        var part: Int?
    }

    private static let header = "Content-Disposition: form-data; name=a\r\n\r\n"

    static let rows = [
        Row(
            testDescription: "no boundary",
            type: "multipart/form-data",
            body: "--b--",
            status: 400,
            code: "boundary.missing",
            offset: 0
        ),
        Row(
            testDescription: "no delimiter",
            type: formType,
            body: "hello",
            status: 400,
            code: "preamble.present",
            offset: 0
        ),
        Row(
            testDescription: "bare LF before a delimiter",
            type: formType,
            body: "--b\r\n\(header)x\n--b--",
            status: 400,
            code: "delimiter.bare_lf",
            offset: 48,
            part: 0
        ),
        Row(
            testDescription: "no close-delimiter",
            type: formType,
            body: "--b\r\n\(header)x",
            status: 400,
            code: "final_delimiter.missing",
            offset: 48,
            part: 0
        ),
        Row(
            testDescription: "type not accepted",
            type: "text/plain",
            body: "x",
            status: 415,
            code: "content_type.denied",
            offset: 0
        ),
        Row(
            testDescription: "too large",
            type: formType,
            body: "--b\r\n\(header)\(String(repeating: "x", count: 100_000))\r\n--b--",
            status: 413,
            code: "limit.body",
            offset: 90_000
        ),
    ]

    @Test(arguments: rows, [1, 40, Int.max])
    func aSmallOneNeverReachesTheUpstream(_ row: Row, pieceSize: Int) throws {
        // What is refused at once is not read on; a peer that sends on byte by byte is reset.
        guard pieceSize > 1 || row.body.utf8.count < 1000 else { return }
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port) {
            $0.policy.contentTypes = ["multipart/form-data"]
            $0.policy.limits.bodyBytes = 90_000
        }
        do {
            var client = try proxy.client()
            try client.post(Array(row.body.utf8), type: row.type, inPiecesOf: pieceSize)
            let response = try client.response()
            #expect(response.status == row.status)
            let document = try Self.problem(response)
            #expect(document["code"] as? String == row.code)
            #expect(document["offset"] as? Int == row.offset)
            #expect(document["part"] as? Int == row.part)
            let isRecordedAs = document["instance"] as? String
            let records = try proxy.records(ofRequests: 1)
            let record = try records.onlyRequest()
            #expect(isRecordedAs == "urn:uuid:\(record.text("http.request.id") ?? "")")
            #expect(record.text("upload.verdict") == "blocked")
            #expect(record.text("event.code") == row.code)
            #expect(record.text("upload.termination")?.first == "P")
            #expect(record.text("upload.blame") == "client")
            #expect(record.number("http.response.status_code") == row.status)
            #expect(record.number("upload.forwarded_bytes") == 0)
            #expect(records.parts.allSatisfy { $0.text("upload.part.state") != "complete" })
        }
        #expect(upstream.connections.isEmpty)
    }

    /// The defect lies behind half a megabyte that the upstream has got already.
    @Test(arguments: [false, true], [4000, 100_000, Int.max])
    func aLargeOneNeverLooksComplete(isChunked: Bool, pieceSize: Int) throws {
        var random = SplitMix64(seed: UInt64(clamping: pieceSize))
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port)
        var body = form(randomBytes(600_000, using: &random))
        let defect = body.count - 9
        #expect(body[defect] == 13)
        // CR LF "--b--" becomes LF "--b--", which some parsers take for the end.
        body.remove(at: defect)
        do {
            var client = try proxy.client()
            let framing =
                isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(body.count)"
            let head =
                "POST /l HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n\(framing)\r\n\r\n"
            let sent = isChunked ? chunked(body, largest: 50_000, using: &random) : body
            try client.send(Array(head.utf8) + sent, inPiecesOf: pieceSize)
            let response = try client.response()
            #expect(response.status == 400)
            #expect(response.field("Connection") == "close")
            let document = try Self.problem(response)
            #expect(document["code"] as? String == "delimiter.bare_lf")
            #expect(document["offset"] as? Int == defect)
            #expect(document["part"] as? Int == 0)
            #expect(try client.next() == .end)
        }
        #expect(upstream.wait { $0.first?.ending != nil })
        let connection = try #require(upstream.connections.first)
        #expect(upstream.connections.count == 1)
        #expect(connection.ending == .reset)
        let received = String(decoding: connection.received, as: UTF8.self)
        #expect(!received.contains("--b--"))
        #expect(!received.hasSuffix("\r\n0\r\n\r\n"))
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.verdict") == "blocked")
        #expect(record.number("upload.forwarded_bytes") ?? .max <= defect)
        #expect(record.number("upload.parts.committed") == 0)
    }

    /// A small part behind a large one is held until it has passed, however long that takes.
    @Test(arguments: ["Content-Length: 500000", "Transfer-Encoding: chunked"])
    func whatAGateWithholdsNeverLeaves(framing: String) throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port)
        let large = Array(form([UInt8](repeating: 1, count: 200_000)).dropLast("--\r\n".utf8.count))
        let small = Array("\r\n\(Self.header)secret".utf8)
        do {
            var client = try proxy.client()
            let head =
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Type: \(formType)\r\n\(framing)\r\n\r\n"
            let isChunked = framing.hasPrefix("T")
            let count = large.count + small.count
            try client.send(head + (isChunked ? "\(String(count, radix: 16))\r\n" : ""))
            try client.send(large + small)
            // What may go has gone, and all of it has been read and judged.
            #expect(upstream.wait { ($0.first?.receivedCount ?? 0) > large.count })
            let line = try proxy.statusLine(with: " received=\(count)")
            #expect(line.contains(" forwarded=\(large.count + 2) "), "\(line)")
            try client.send((isChunked ? "\r\n4\r\n" : "") + "\n--b")
            let response = try client.response()
            #expect(response.status == 400)
            #expect(try Self.problem(response)["code"] as? String == "delimiter.bare_lf")
        }
        #expect(upstream.wait { $0.first?.ending == .reset })
        let received = try #require(upstream.connections.first?.received)
        #expect(!String(decoding: received, as: UTF8.self).contains("secret"))
        let records = try proxy.records()
        #expect(records.parts.map { $0.text("upload.part.state") } == ["complete", "rejected"])
        #expect(
            records.parts.map { $0.value("upload.part.committed") as? Bool } == [true, false]
        )
        #expect(try records.onlyRequest().number("upload.forwarded_bytes") == large.count + 2)
    }

    @Test func aRequestThatBreaksItsFramingIsRefused() throws {
        let upstream = try RecordingUpstream()
        let proxy = try RunningProxy(upstream: upstream.port)
        let requests = [
            (
                "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                400
            ),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip\r\n\r\n", 501),
            ("GET / HTTP/1.1\r\n\r\n", 400),
            ("GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400),
            ("TRACE / HTTP/1.1\r\nHost: h\r\n\r\n", 405),
            ("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405),
            ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nx", 400),
            ("GET / HTTP/2.0\r\nHost: h\r\n\r\n", 505),
        ]
        for (request, status) in requests {
            var client = try proxy.client()
            try client.send(request)
            let response = try client.response()
            #expect(response.status == status, "\(request)")
            #expect(try Self.problem(response)["status"] as? Int == status)
        }
        let records = try proxy.records().requests
        #expect(records.count == requests.count)
        for (record, (_, status)) in zip(records, requests) {
            #expect(record.text("upload.verdict") == "blocked")
            #expect(record.number("http.response.status_code") == status)
        }
        #expect(upstream.requests.isEmpty)
    }
}
