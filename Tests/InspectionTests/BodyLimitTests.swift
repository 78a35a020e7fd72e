import Inspection
import TestSupport
import Testing

/// `limits.bodyBytes` where the length is not declared: it is met in the middle of what is parsed.
@Suite struct BodyLimitTests {
    private static let multipart = ["multipart/form-data; boundary=b"]

    private static func facts(
        of pieces: [ArraySlice<UInt8>],
        limit: Int
    ) -> InspectionOutcome.Facts {
        InspectionOutcome(
            of: pieces,
            contentTypes: multipart,
            declaredLength: nil,
            policy: .with { $0.limits.bodyBytes = limit }
        ).facts.ignoringCommitment
    }

    @Test func aBodyOfTheLimitPasses() {
        let body = Array("--b\r\n\(UploadRow.field("a"))value\r\n--b--".utf8)
        for cut in cuts(of: body) {
            #expect(Self.facts(of: cut, limit: body.count).firstBlock == nil)
            #expect(Self.facts(of: cut, limit: body.count - 1).firstBlock?.code == "limit.body")
            #expect(Self.facts(of: cut, limit: body.count - 1).firstBlock?.offset == body.count - 1)
        }
    }

    @Test func everyCutGivesTheSameFacts() {
        let body = MarkedBody("--b\r\n\(UploadRow.field("a"))val▲ue\r\n--b--")
        let limit = body.finding ?? 0
        let expected = Self.facts(of: body.bytes.indices.map { body.bytes[$0...$0] }, limit: limit)
        #expect(expected.firstBlock?.code == "limit.body")
        #expect(expected.firstBlock?.offset == limit)
        withKnownIssue("the piece that crosses limits.bodyBytes is not read up to the limit") {
            let wrong = cuts(of: body.bytes).filter { Self.facts(of: $0, limit: limit) != expected }
            #expect(wrong.map { $0.map(\.count) } == [])
        }
    }

    @Test func whatComesFirstInTheBodyDecides() {
        let body = MarkedBody("--b\r\n▲X: y\r\n\r\nvalue\r\n--b--")
        let limit = body.bytes.count - 4
        let expected = Self.facts(of: body.bytes.indices.map { body.bytes[$0...$0] }, limit: limit)
        #expect(expected.firstBlock?.code == "disposition.missing")
        #expect(expected.firstBlock?.offset == body.finding)
        withKnownIssue("the piece that crosses limits.bodyBytes is not read up to the limit") {
            let wrong = cuts(of: body.bytes).filter { Self.facts(of: $0, limit: limit) != expected }
            #expect(wrong.map { $0.map(\.count) } == [])
        }
    }
}
