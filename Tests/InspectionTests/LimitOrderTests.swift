import Inspection
import TestSupport
import Testing

/// Limits met in the middle of a piece: what is named must not depend on where the piece ends.
@Suite struct LimitOrderTests {
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
        let wrong = cuts(of: body.bytes).filter { Self.facts(of: $0, limit: limit) != expected }
        #expect(wrong.map { $0.map(\.count) } == [])
    }

    @Test func whatComesFirstInTheBodyDecides() {
        let body = MarkedBody("--b\r\n▲X: y\r\n\r\nvalue\r\n--b--")
        let limit = body.bytes.count - 4
        let expected = Self.facts(of: body.bytes.indices.map { body.bytes[$0...$0] }, limit: limit)
        #expect(expected.firstBlock?.code == "disposition.missing")
        #expect(expected.firstBlock?.offset == body.finding)
        let wrong = cuts(of: body.bytes).filter { Self.facts(of: $0, limit: limit) != expected }
        #expect(wrong.map { $0.map(\.count) } == [])
    }

    @Test func ofTwoLimitsTheOneThatIsMetFirstDecides() {
        let body = MarkedBody("--b\r\n\(UploadRow.field("a"))12▲345678\r\n--b--")
        let policy = InspectionPolicy.with {
            $0.limits.nonFileBytes = 2
            $0.limits.partBytes = 4
        }
        let verdicts = cuts(of: body.bytes).map { cut in
            InspectionOutcome(
                of: cut,
                contentTypes: Self.multipart,
                declaredLength: nil,
                policy: policy
            ).facts.firstBlock
        }
        #expect(verdicts.last??.code == "limit.non_file_bytes")
        #expect(verdicts.last??.offset == body.finding)
        #expect(verdicts.map { $0?.code }.allSatisfy { $0 == "limit.non_file_bytes" })
    }
}
