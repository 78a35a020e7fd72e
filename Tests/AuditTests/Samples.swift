import Audit
import Inspection

/// Records with every value set, for tests to compare or to change.
enum Samples {
    static let identity = ExchangeIdentity(
        requestID: "0b54d0a4-7d4e-4f3c-9a5e-0a4a8c1b2d3e",
        traceID: "4bf92f3577b34da6a3ce929d0e0e4736",
        transactionID: "00f067aa0ba902b7",
        sourceAddress: "10.0.0.9",
        sourcePort: 51_234,
        clientAddress: "203.0.113.7"
    )

    static let hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"

    /// 2026-11-30T22:19:57.123456789Z.
    static let instant: Int64 = 1_796_077_197_123_456_789

    static var part: PartRecord {
        PartRecord(
            identity: identity,
            timestampNanoseconds: instant,
            sequence: 42,
            report: PartReport(
                index: 1,
                kind: .file,
                state: .complete,
                name: "attachment",
                filename: "holiday.jpg",
                contentType: "image/jpeg; q=1",
                headerCount: 2,
                headOffset: 1_300,
                contentOffset: 1_400,
                endOffset: 1_235_967,
                digests: [PartDigest(algorithm: "sha256", hexadecimal: hash)],
                isCommitted: true,
                durationNanoseconds: 35_123_456
            ),
            sniffedType: "image/png"
        )
    }

    static var request: RequestRecord {
        var record = RequestRecord(identity: identity, timestampNanoseconds: instant)
        record.durationNanoseconds = 35_123_456
        record.method = "POST"
        record.target = "/upload?x=1"
        record.path = "/upload"
        record.query = "x=1"
        record.httpVersion = "1.1"
        record.userAgent = "curl/8.5.0"
        record.requestBytes = 1_240_200
        record.bodyBytes = 1_240_000
        record.status = 201
        record.responseBytes = 310
        record.destinationAddress = "127.0.0.1:9000"
        record.destinationBytes = 1_240_180
        record.framing = .length
        record.declaredBytes = 1_240_001
        record.receivedBytes = 1_240_002
        record.forwardedBytes = 1_240_003
        record.parts = RequestRecord.Parts(total: 3, files: 2, committed: 1)
        record.timing = RequestRecord.Timing(
            clientWaitNanoseconds: 1_002_300,
            upstreamWaitNanoseconds: 20_045_999,
            connectNanoseconds: 300_100
        )
        return record
    }

    static let nul = Finding(
        code: "part_header.nul",
        severity: .block,
        detail: "a header line holds NUL, where text was expected",
        offset: 1_234,
        part: 1,
        reference: "RFC 7578 §4.8"
    )

    static let quoted = Finding(
        code: "boundary.quoted",
        severity: .info,
        detail: "the boundary is a quoted string",
        offset: 30,
        reference: "RFC 2046 §5.1.1"
    )
}

extension AuditLog {
    /// Records a part, as a lane of its own would.
    func append(_ record: PartRecord) {
        let records = LaneRecords(to: self)
        records.append(record)
        records.handOver()
    }

    /// Records a request, as a lane of its own would.
    func append(_ record: RequestRecord) {
        let records = LaneRecords(to: self)
        records.append(record)
        records.handOver()
    }
}
