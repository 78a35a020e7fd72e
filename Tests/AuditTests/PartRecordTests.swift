import Audit
import Inspection
import Testing

@Suite struct PartRecordTests {
    @Test func everyFieldIsWritten() throws {
        let fields = try Self.fields(of: Samples.part)
        let expected: [String: JSONValue] = [
            "@timestamp": "2026-11-30T22:19:57.123456Z",
            "ecs.version": "8.17.0",
            "event.kind": "event",
            "event.category": ["web", "file"],
            "event.type": ["info"],
            "event.action": "upload-part",
            "event.outcome": "success",
            "event.dataset": "weir.part",
            "event.id": "0b54d0a4-7d4e-4f3c-9a5e-0a4a8c1b2d3e.1",
            "event.sequence": 42,
            "event.duration": 35_123_456,
            "trace.id": "4bf92f3577b34da6a3ce929d0e0e4736",
            "transaction.id": "00f067aa0ba902b7",
            "source.ip": "10.0.0.9",
            "source.port": 51_234,
            "client.ip": "203.0.113.7",
            "file.name": "holiday.jpg",
            "file.extension": "jpg",
            "file.size": 1_234_567,
            "file.mime_type": "image/png",
            "file.hash.sha256": .string(Samples.hash),
            "upload.part.index": 1,
            "upload.part.name": "attachment",
            "upload.part.kind": "file",
            "upload.part.state": "complete",
            "upload.part.content_type": "image/jpeg; q=1",
            "upload.part.headers": 2,
            "upload.part.offset.start": 1_400,
            "upload.part.offset.end": 1_235_967,
            "upload.part.committed": true,
            "related.hash": [.string(Samples.hash)],
        ]
        #expect(fields == expected)
    }

    @Test func whatIsNotKnownIsAbsent() throws {
        let record = PartRecord(
            identity: ExchangeIdentity(requestID: "id"),
            timestampNanoseconds: 0,
            sequence: 0,
            report: PartReport(
                index: 0,
                kind: .field,
                state: .truncated,
                headOffset: 10,
                contentOffset: 20,
                endOffset: 20
            )
        )
        let fields = try Self.fields(of: record)
        let expected: Set = [
            "@timestamp", "ecs.version", "event.kind", "event.category", "event.type",
            "event.action", "event.outcome", "event.dataset", "event.id", "event.sequence",
            "event.duration", "transaction.id", "file.size", "upload.part.index",
            "upload.part.kind", "upload.part.state", "upload.part.headers",
            "upload.part.offset.start", "upload.part.offset.end", "upload.part.committed",
        ]
        #expect(Set(fields.keys) == expected)
        #expect(fields["transaction.id"] == "id")
        #expect(fields["upload.part.committed"] == false)
    }

    static let states: [(PartReport.State, String)] = [
        (.complete, "success"), (.truncated, "failure"), (.rejected, "failure"),
        (.aborted, "failure"),
    ]

    @Test(arguments: states)
    func onlyACompletePartIsASuccess(_ row: (state: PartReport.State, outcome: String)) throws {
        var record = Samples.part
        record.report.state = row.state
        let fields = try Self.fields(of: record)
        #expect(fields["event.outcome"] == .string(row.outcome))
        #expect(fields["upload.part.state"] == .string(row.state.rawValue))
    }

    static let extensions: [(filename: String?, ending: String?)] = [
        ("a.jpg", "jpg"), ("a.tar.gz", "gz"), ("A.JPG", "JPG"), ("a", nil), ("a.", nil),
        (".profile", nil), ("", nil), (nil, nil), ("a.b/c", nil), (#"a.b\c"#, nil),
        ("a/b.c", "c"), (#"C:\x\.y"#, nil), ("..", nil), ("…é.ü", "ü"), ("x.a\"b", "a\"b"),
    ]

    @Test(arguments: extensions)
    func theExtensionFollowsTheLastDot(_ row: (filename: String?, ending: String?)) throws {
        var record = Samples.part
        record.report.filename = row.filename
        #expect(try Self.fields(of: record)["file.extension"] == row.ending.map { .string($0) })
    }

    /// Whatever a client sends, a record stays one line of bounded size.
    @Test func hostileValuesAreBoundedAndEscaped() throws {
        let hostile = String(repeating: "\"\n\u{202E}\0.", count: 10_000)
        var record = Samples.part
        record.report.name = hostile
        record.report.filename = hostile
        record.report.contentType = hostile
        record.sniffedType = hostile
        let line = Self.line(of: record)
        #expect(line.count < 10_000)
        #expect(line.firstIndex(of: 0x0A) == line.count - 1)
        let fields = try JSONValue(parsing: line).flattened
        guard case .string(let name) = fields["upload.part.name"],
            case .string(let filename) = fields["file.name"]
        else {
            Issue.record("names are missing")
            return
        }
        #expect(name.utf8.count <= 256 + "…".utf8.count && name.utf8.count > 252)
        #expect(filename.utf8.count <= 512 + "…".utf8.count && filename.utf8.count > 508)
    }

    @Test(arguments: EscapedTextTests.nasty)
    func namesSurviveAsTheyAre(_ text: String) throws {
        var record = Samples.part
        record.report.name = text
        record.report.filename = text
        let fields = try Self.fields(of: record)
        #expect(fields["upload.part.name"] == .string(text))
        #expect(fields["file.name"] == .string(text))
    }

    @Test func theTextLineIsReadable() {
        var record = Samples.part
        let file = #"  part 1 file "holiday.jpg" image/jpeg 1.2 MB sha256:9f86d081… complete"#
        #expect(Self.text(of: record) == file + "\n")
        record.report = PartReport(
            index: 0,
            kind: .field,
            state: .rejected,
            name: "title\u{1B}[2J",
            headOffset: 0,
            contentOffset: 10,
            endOffset: 15
        )
        #expect(Self.text(of: record) == #"  part 0 field "title\u{1b}[2J" 5 B rejected"# + "\n")
    }

    private static func line(of record: PartRecord) -> [UInt8] {
        var encoder = RecordEncoder(format: .ecs, version: "1.2.3")
        encoder.append(record)
        return encoder.bytes
    }

    private static func fields(of record: PartRecord) throws -> [String: JSONValue] {
        try JSONValue(parsing: line(of: record)).flattened
    }

    private static func text(of record: PartRecord) -> String {
        var encoder = RecordEncoder(format: .text, version: "1.2.3")
        encoder.append(record)
        return String(decoding: encoder.bytes, as: UTF8.self)
    }
}
