import Multipart
import Testing

@Suite struct ReasonTests {
    @Test func codesAreUnique() {
        let codes = MultipartReason.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
    }

    @Test(arguments: MultipartReason.allCases)
    func everyReasonIsExplained(_ reason: MultipartReason) {
        let code = reason.rawValue.split(separator: ".")
        #expect(code.count == 2)
        #expect(code.joined().utf8.allSatisfy { (97...122).contains($0) || [95, 56].contains($0) })
        #expect(reason.explanation.hasSuffix("."))
        #expect(!reason.reference.isEmpty)
    }

    @Test func everyReasonIsReachedByARow() {
        let bodies = FramingTests.rows + PartHeadTests.rows + PartHeadTests.limitRows
        let reached = Set(
            bodies.flatMap { $0.findings.map(\.reason) }
                + DispositionTests.rows.flatMap(\.reasons)
                + ContentTypeTests.rows.flatMap(\.problems)
        )
        #expect(Set(MultipartReason.allCases).subtracting(reached).isEmpty)
    }
}
