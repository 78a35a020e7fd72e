import Inspection
import Multipart
import Testing

/// The list of findings is bounded, and says the same thing of the same part once.
@Suite struct FindingsTests {
    @Test func theSameIsNotedOnceForEachPart() {
        var findings = Findings()
        findings.note(MultipartReason.filenamePath, at: 1, in: 0, as: .notice)
        findings.note(MultipartReason.filenamePath, at: 2, in: 0, as: .notice)
        findings.note(MultipartReason.filenamePath, at: 3, in: 1, as: .notice)
        findings.note(MultipartReason.filenamePath, at: 4, in: nil, as: .notice)
        findings.note(MultipartReason.filenameEmpty, at: 5, in: 0, as: .info)
        #expect(findings.all.map(\.offset) == [1, 3, 4, 5])
        #expect(findings.firstBlock == nil)
    }

    @Test func aFindingSaysWhatItsReasonSays() {
        var findings = Findings()
        findings.note(PolicyReason.limitParts, at: 7, in: 2, as: .block)
        let expected = Finding(
            code: "limit.parts",
            severity: .block,
            detail: PolicyReason.limitParts.explanation,
            offset: 7,
            part: 2,
            reference: PolicyReason.limitParts.reference
        )
        #expect(findings.all == [expected])
        #expect(findings.firstBlock == expected)
    }

    @Test func onlyTheFirstThatBlocksDecides() {
        var findings = Findings()
        findings.note(MultipartReason.filenamePath, at: 1, in: 0, as: .notice)
        findings.note(MultipartReason.lineBareLF, at: 2, in: 0, as: .block)
        findings.note(MultipartReason.lineBareCR, at: 3, in: 0, as: .block)
        #expect(findings.firstBlock?.code == "line.bare_lf")
        #expect(findings.all.map(\.offset) == [1, 2, 3])
    }

    @Test func theListIsBoundedAndTheVerdictIsAlwaysInIt() {
        var findings = Findings()
        for part in 0..<1000 {
            findings.note(MultipartReason.filenamePath, at: part, in: part, as: .notice)
        }
        #expect(findings.all.map(\.offset) == Array(0..<Findings.maximumCount))
        findings.note(MultipartReason.lineBareLF, at: 1000, in: 1000, as: .block)
        #expect(findings.all.count == Findings.maximumCount)
        #expect(findings.all.last == findings.firstBlock)
        #expect(findings.firstBlock?.offset == 1000)
        findings.note(MultipartReason.lineBareCR, at: 1001, in: 1000, as: .block)
        #expect(findings.all.count == Findings.maximumCount)
        #expect(findings.firstBlock?.offset == 1000)
    }

    @Test func aBodyOfOdditiesLeavesABoundedList() {
        var inspector = UploadInspector(["multipart/form-data; boundary=b"])
        let part = "--b\r\n\(UploadRow.file("f", "a/b"))x\r\n"
        let body = Array((String(repeating: part, count: 99) + "--b--").utf8)
        inspector.consume(body[...])
        inspector.finish()
        #expect(inspector.firstBlock == nil)
        #expect(inspector.partCount == 99)
        #expect(inspector.findings.count == Findings.maximumCount)
    }
}
