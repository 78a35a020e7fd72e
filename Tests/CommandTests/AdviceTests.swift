import HTTP1
import Inspection
import Testing
import weir

@Suite struct AdviceTests {
    @Test func everyCodeHasAdviceOnce() {
        let codes =
            SeverityOverrides.knownCodes + HTTPReason.allCases.map(\.rawValue)
            + ["http.head_truncated"]
        let advised = Advice.all.map(\.code)
        #expect(Set(advised) == Set(codes))
        #expect(advised.count == Set(advised).count)
    }

    @Test(arguments: Advice.all)
    func adviceIsSentences(_ advice: Advice) {
        for text in [advice.cause, advice.remedy] {
            #expect(text.first?.isUppercase == true || text.hasPrefix(".NET"), "\(advice.code)")
            #expect(text.last == "." && text.count <= 160, "\(advice.code)")
        }
    }
}
