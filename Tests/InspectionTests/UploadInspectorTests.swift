import Inspection
import TestSupport
import Testing

/// The table × cuts: whatever the cut, the same verdict, the same parts, and never a byte too many.
@Suite struct UploadInspectorTests {
    @Test(arguments: UploadRow.all)
    func wholeBodyIsJudgedAsExpected(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            let outcome = variant.outcome(of: [variant.body.bytes[...]])
            let facts = outcome.facts
            #expect(facts.firstBlock?.code == row.code, "\(variant)")
            #expect(facts.firstBlock?.part == row.part, "\(variant)")
            #expect(facts.firstBlock?.offset == variant.body.finding, "\(variant)")
            #expect(
                facts.findings.map(\.code) == row.findings ?? row.code.map { [$0] } ?? [],
                "\(variant)"
            )
            #expect(facts.parts.map(\.index) == Array(facts.parts.indices), "\(variant)")
            for part in facts.parts {
                let content = variant.body.bytes[part.contentOffset..<part.endOffset]
                #expect(
                    part.digests
                        == [
                            PartDigest(algorithm: "sha256", hexadecimal: referenceSHA256(content))
                        ],
                    "\(variant), part \(part.index)"
                )
                #expect(part.kind == (part.filename == nil && row.isForm ? .field : .file))
            }
        }
    }

    @Test(arguments: UploadRow.all)
    func everyCutGivesTheSameFacts(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            let expected = variant.outcome(of: variant.singleBytes).facts.ignoringCommitment
            #expect(
                expected.parts.map { UploadRow.Part($0, of: variant.body.bytes) } == row.parts,
                "\(variant)"
            )
            for cut in cuts(of: variant.body.bytes) {
                let facts = variant.outcome(of: cut).facts.ignoringCommitment
                guard facts == expected else {
                    Issue.record("\(variant), cut \(cut.map(\.count)): \(facts)")
                    break
                }
            }
        }
    }

    /// What is true of every row, also of those that are refused in the middle of content.
    @Test(arguments: UploadRow.all)
    func everyCutGivesTheSameVerdict(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            let expected = variant.outcome(of: variant.singleBytes).facts
            for cut in cuts(of: variant.body.bytes) {
                let facts = variant.outcome(of: cut).facts
                let isSame =
                    facts.firstBlock == expected.firstBlock && facts.findings == expected.findings
                    && facts.partCount == expected.partCount
                    && facts.parts.map(\.state) == expected.parts.map(\.state)
                guard isSame else {
                    Issue.record("\(variant), cut \(cut.map(\.count)): \(facts)")
                    break
                }
            }
        }
    }

    @Test(arguments: UploadRow.all)
    func nothingWithheldIsEverReleased(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            let single = variant.outcome(of: variant.singleBytes)
            #expect(single.released == variant.released, "\(variant), byte by byte")
            for cut in cuts(of: variant.body.bytes) {
                let outcome = variant.outcome(of: cut)
                var before = 0
                for step in outcome.steps {
                    #expect(step.released >= before && step.released <= step.received)
                    before = step.released
                }
                let lengths = "\(variant), cut \(cut.map(\.count))"
                if row.code == nil {
                    #expect(outcome.released == variant.body.bytes.count, "\(lengths)")
                } else {
                    #expect(outcome.released <= variant.released, "\(lengths)")
                }
                for part in outcome.facts.parts where part.isCommitted {
                    #expect(part.state == .complete && part.endOffset <= outcome.released)
                }
            }
        }
    }

    @Test(arguments: UploadRow.all)
    func observingReleasesEverythingAndSaysTheSame(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            let enforced = variant.outcome(of: variant.singleBytes)
            var observing = variant
            observing.policy.mode = .observe
            for cut in [[variant.body.bytes[...]], variant.singleBytes] {
                let observed = observing.outcome(of: cut)
                #expect(observed.facts.firstBlock == enforced.facts.firstBlock, "\(variant)")
                for step in observed.steps { #expect(step.released == step.received) }
                #expect(observed.steps.last?.received == variant.body.bytes.count)
            }
        }
    }

    @Test(arguments: UploadRow.all)
    func offSeesNothing(_ row: UploadRow) {
        for variant in Variant.all(of: row) {
            var off = variant
            off.policy.mode = .off
            let outcome = off.outcome(of: off.singleBytes)
            #expect(outcome.facts == InspectionOutcome.Facts())
            for step in outcome.steps { #expect(step.released == step.received) }
        }
    }

    /// Together with `DigestClaimTests` and `SniffingTests`.
    @Test func everyPolicyReasonIsReached() {
        let elsewhere: Set<PolicyReason> = [
            .digestMismatch, .digestMalformed, .digestUnchecked, .hashDenied, .hashNotAllowed,
            .typeMismatch, .typeDenied, .typePolyglot,
        ]
        let codes = Set(UploadRow.all.compactMap(\.code))
        let here = Set(PolicyReason.allCases).subtracting(elsewhere)
        #expect(codes.isSuperset(of: here.map(\.rawValue)))
    }
}

/// One way to send and judge the body of a row.
struct Variant: CustomStringConvertible {
    let row: UploadRow
    let framing: UploadRow.Framing
    var policy: InspectionPolicy
    let body: MarkedBody

    /// Small as they are, all bodies of the table are held whole under the default.
    private let isHeldWhole: Bool

    static func all(of row: UploadRow) -> [Variant] {
        row.framings.flatMap { framing in
            let body = MarkedBody(row.body)
            guard row.policy.limits.holdBytes == InspectionLimits().holdBytes else {
                return [Variant(row, framing, row.policy, body, isHeldWhole: false)]
            }
            let open = row.policy.with { $0.limits.holdBytes = 0 }
            return [
                Variant(row, framing, row.policy, body, isHeldWhole: row.isMultipart),
                Variant(row, framing, open, body, isHeldWhole: false),
            ]
        }
    }

    private init(
        _ row: UploadRow,
        _ framing: UploadRow.Framing,
        _ policy: InspectionPolicy,
        _ body: MarkedBody,
        isHeldWhole: Bool
    ) {
        self.row = row
        self.framing = framing
        self.policy = policy
        self.body = body
        self.isHeldWhole = isHeldWhole
    }

    /// How much is released when the body is fed byte by byte.
    var released: Int {
        row.code != nil && isHeldWhole ? 0 : body.released
    }

    var singleBytes: [ArraySlice<UInt8>] { body.bytes.indices.map { body.bytes[$0...$0] } }

    func outcome(of pieces: [ArraySlice<UInt8>]) -> InspectionOutcome {
        InspectionOutcome(
            of: pieces,
            contentTypes: row.contentTypes,
            declaredLength: framing == .declared ? body.bytes.count : nil,
            policy: policy
        )
    }

    var description: String { "\(framing), hold \(policy.limits.holdBytes)" }
}

extension UploadRow {
    /// Only in a form is a part without a filename a field.
    var isForm: Bool {
        contentTypes.first?.lowercased().hasPrefix("multipart/form-data") ?? false
    }

    var isMultipart: Bool { contentTypes.first?.lowercased().hasPrefix("multipart") ?? false }
}
