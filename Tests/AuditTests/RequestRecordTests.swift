import Audit
import Inspection
import Testing

@Suite struct RequestRecordTests {
    @Test func everyFieldIsWritten() throws {
        let expected: [String: JSONValue] = [
            "@timestamp": "2026-11-30T22:19:57.123456Z",
            "ecs.version": "8.17.0",
            "event.kind": "event",
            "event.category": ["web"],
            "event.type": ["access", "allowed"],
            "event.action": "upload",
            "event.outcome": "success",
            "event.dataset": "weir.upload",
            "event.id": "0b54d0a4-7d4e-4f3c-9a5e-0a4a8c1b2d3e",
            "event.duration": 35_123_456,
            "trace.id": "4bf92f3577b34da6a3ce929d0e0e4736",
            "transaction.id": "00f067aa0ba902b7",
            "source.ip": "10.0.0.9",
            "source.port": 51_234,
            "client.ip": "203.0.113.7",
            "http.version": "1.1",
            "http.request.id": "0b54d0a4-7d4e-4f3c-9a5e-0a4a8c1b2d3e",
            "http.request.method": "POST",
            "http.request.bytes": 1_240_200,
            "http.request.body.bytes": 1_240_000,
            "http.response.status_code": 201,
            "http.response.bytes": 310,
            "url.path": "/upload",
            "url.query": "x=1",
            "url.original": "/upload?x=1",
            "user_agent.original": "curl/8.5.0",
            "destination.address": "127.0.0.1:9000",
            "destination.bytes": 1_240_180,
            "upload.mode": "enforce",
            "upload.profile": "balanced",
            "upload.verdict": "allowed",
            "upload.termination": "--",
            "upload.blame": "none",
            "upload.declared_bytes": 1_240_001,
            "upload.received_bytes": 1_240_002,
            "upload.forwarded_bytes": 1_240_003,
            "upload.framing": "length",
            "upload.parts.total": 3,
            "upload.parts.files": 2,
            "upload.parts.committed": 1,
            "upload.timing.client_wait_ms": 1.002,
            "upload.timing.upstream_wait_ms": 20.045,
            "upload.timing.connect_ms": 0.3,
            "upload.timing.total_ms": 35.123,
            "observer.type": "proxy",
            "observer.product": "weir",
            "observer.version": "1.2.3",
        ]
        #expect(try Self.fields(of: Samples.request) == expected)
    }

    @Test func routeAndCounterfactualAreWritten() throws {
        var record = Samples.request
        record.route = "/" + String(repeating: "x", count: 200)
        record.wouldBlockStrict = Samples.nul
        let fields = try Self.fields(of: record)
        guard case .string(let route) = fields["upload.route"] else {
            Issue.record("no route")
            return
        }
        #expect(route.hasPrefix("/xxx") && route.utf8.count <= 140)
        #expect(fields["upload.would_block_strict.code"] == "part_header.nul")
        #expect(fields["upload.would_block_strict.offset"] == 1_234)
        #expect(fields["upload.would_block_strict.part"] == 1)
        #expect(fields["event.kind"] == "event")
    }

    @Test func aBlockedUploadIsAnAlert() throws {
        var record = Samples.request
        record.verdict = .blocked
        record.profile = .strict
        record.findings = [Samples.quoted, Samples.nul]
        record.termination = Termination(by: .weir, in: .body)
        record.blame = .client
        let fields = try Self.fields(of: record)
        let expected: [String: JSONValue] = [
            "event.kind": "alert",
            "event.type": ["access", "denied"],
            "event.outcome": "failure",
            "event.code": "part_header.nul",
            "event.reason": .string(Samples.nul.detail),
            "rule.id": "part_header.nul",
            "rule.ruleset": "strict",
            "rule.reference": "RFC 7578 §4.8",
            "upload.verdict": "blocked",
            "upload.termination": "PD",
            "upload.blame": "client",
        ]
        for (key, value) in expected { #expect(fields[key] == value, "\(key)") }
        #expect(
            fields["upload.findings"] == [
                [
                    "code": "boundary.quoted", "severity": "info",
                    "detail": .string(Samples.quoted.detail), "offset": 30,
                    "reference": "RFC 2046 §5.1.1", "alias": "MULTIPART_BOUNDARY_QUOTED",
                ],
                [
                    "code": "part_header.nul", "severity": "block",
                    "detail": .string(Samples.nul.detail), "offset": 1_234, "part": 1,
                    "reference": "RFC 7578 §4.8", "alias": "REQBODY_ERROR",
                ],
            ]
        )
        #expect(fields["upload.would_block.code"] == nil)
    }

    @Test func observeSaysWhatEnforceWouldHaveDone() throws {
        var record = Samples.request
        record.mode = .observe
        record.verdict = .observed
        record.wouldBlock = Samples.nul
        let fields = try Self.fields(of: record)
        #expect(fields["event.kind"] == "alert")
        #expect(fields["event.type"] == ["access", "allowed"])
        #expect(fields["event.outcome"] == "success")
        #expect(fields["event.code"] == "part_header.nul")
        #expect(fields["upload.would_block.code"] == "part_header.nul")
        #expect(fields["upload.would_block.offset"] == 1_234)
        #expect(fields["upload.would_block.part"] == 1)
    }

    @Test func harmlessFindingsAreNoAlert() throws {
        var record = Samples.request
        record.findings = [Samples.quoted]
        let fields = try Self.fields(of: record)
        #expect(fields["event.kind"] == "event")
        #expect(fields["event.code"] == nil)
        #expect(fields["rule.id"] == nil)
    }

    @Test func whatIsNotKnownIsAbsent() throws {
        var record = RequestRecord(
            identity: ExchangeIdentity(requestID: "id"),
            timestampNanoseconds: 0
        )
        record.verdict = .aborted
        let fields = try Self.fields(of: record)
        let roots = Set(fields.keys.map { $0.prefix { $0 != "." } })
        #expect(
            roots == ["@timestamp", "ecs", "event", "transaction", "http", "upload", "observer"]
        )
        #expect(fields["event.outcome"] == "failure")
        #expect(fields["upload.framing"] == "none")
        for key in ["declared_bytes", "timing.connect_ms", "findings", "would_block"] {
            #expect(fields["upload.\(key)"] == nil, "\(key)")
        }
    }

    @Test func fidelityShowsBothDigests() throws {
        var record = Samples.request
        record.fidelity = RequestRecord.Fidelity(received: "aa", forwarded: "bb")
        let fields = try Self.fields(of: record)
        #expect(fields["upload.fidelity.received_sha256"] == "aa")
        #expect(fields["upload.fidelity.forwarded_sha256"] == "bb")
    }

    @Test func findingsAreBoundedAndTheDecisiveOneIsNamed() throws {
        var record = Samples.request
        record.verdict = .blocked
        record.findings = Array(repeating: Samples.quoted, count: 40) + [Samples.nul]
        let fields = try Self.fields(of: record)
        guard case .array(let shown) = fields["upload.findings"] else {
            Issue.record("findings are missing")
            return
        }
        #expect(shown.count == 32)
        #expect(fields["upload.findings_omitted"] == 9)
        #expect(fields["event.code"] == "part_header.nul")
    }

    @Test func hostileValuesAreBoundedAndEscaped() throws {
        let hostile = String(repeating: "\u{2028}\r\n\"", count: 10_000)
        var record = Samples.request
        record.method = hostile
        record.target = hostile
        record.path = hostile
        record.query = hostile
        record.httpVersion = hostile
        record.userAgent = hostile
        record.destinationAddress = hostile
        record.wouldBlock = Finding(
            code: hostile,
            severity: .block,
            detail: hostile,
            offset: .max,
            reference: hostile
        )
        record.findings = Array(repeating: Samples.nul, count: 1_000)
        for format in AuditFormat.allCases {
            let line = Self.line(of: record, format)
            #expect(line.count < 40_000)
            #expect(line.firstIndex(of: 0x0A) == line.count - 1)
            #expect(!line.contains(0x0D))
        }
        _ = try Self.fields(of: record)
    }

    @Test func theTextLineIsReadable() {
        var record = Samples.request
        let head = "22:19:57.123 203.0.113.7 POST /upload"
        #expect(Self.text(of: record) == "\(head) 201 allowed 3 parts 1.2 MB 35 ms\n")

        record.verdict = .blocked
        record.status = 400
        record.parts.total = 1
        record.findings = [Samples.nul]
        record.termination = Termination(by: .weir, in: .body)
        record.blame = .client
        let finding = "part_header.nul at byte 1234 \"\(Samples.nul.detail)\""
        #expect(
            Self.text(of: record)
                == "\(head) 400 blocked 1 part 1.2 MB 35 ms PD by client \(finding)\n"
        )

        record.verdict = .observed
        record.wouldBlock = Samples.nul
        record.findings = []
        record.termination = .normal
        #expect(
            Self.text(of: record)
                == "\(head) 400 observed 1 part 1.2 MB 35 ms would block: \(finding)\n"
        )
    }

    @Test func aTextLineWithoutARequestHasDashes() {
        var record = RequestRecord(
            identity: ExchangeIdentity(requestID: "id"),
            timestampNanoseconds: 0
        )
        record.verdict = .aborted
        record.termination = Termination(by: .clientTimeout, in: .requestHead)
        record.blame = .client
        #expect(
            Self.text(of: record)
                == "00:00:00.000 - - - - aborted 0 parts 0 B 0.0 ms cR by client\n"
        )
    }

    @Test func untrustedWordsStayOneWord() {
        var record = Samples.request
        record.path = "/x 200 allowed\n\u{1B}]0;t\u{7}"
        let line = Self.text(of: record)
        #expect(
            line.contains(#"/x\u{20}200\u{20}allowed\n\u{1b}]0;t\u{07} 201 allowed"#),
            "\(line)"
        )
    }

    private static func line(of record: RequestRecord, _ format: AuditFormat) -> [UInt8] {
        var encoder = RecordEncoder(format: format, version: "1.2.3")
        encoder.append(record)
        return encoder.bytes
    }

    static func fields(of record: RequestRecord) throws -> [String: JSONValue] {
        try JSONValue(parsing: line(of: record, .ecs)).flattened
    }

    private static func text(of record: RequestRecord) -> String {
        String(decoding: line(of: record, .text), as: UTF8.self)
    }
}
