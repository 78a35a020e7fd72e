import Inspection
import TestSupport
import Testing

/// What a file begins like, in every cut, and what is made of it.
@Suite struct SniffingTests {
    @Test(arguments: SniffRows.all.indices)
    func aBeginningTellsTheType(_ index: Int) {
        let (beginning, type) = SniffRows.all[index]
        for cut in cuts(of: SniffProbe.form(SniffProbe.bytes(beginning))) {
            var inspector = SniffProbe.inspect(cut)
            #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == type)
        }
    }

    /// A type that the settings take but no file has would be a rule that never holds.
    @Test func everyKnownTypeIsReached() {
        #expect(Set(SniffRows.all.map(\.type)) == Set(FileTypes.all))
    }

    /// Beginnings that are two things at once, and such as only look like it.
    @Test(arguments: [
        ("GIF89a....PK\u{3}\u{4}", true), ("\u{FF}\u{D8}\u{FF}\u{E0}..<?php x", true),
        ("\u{89}PNG\r\n\u{1A}\n%PDF-1.4", true), ("%PDF-1.7 <?php", true),
        ("%PDF-1.7 PK\u{3}\u{4}", true), ("junk%PDF-1.4", true), ("\0\u{1}%PDF-", true),
        ("GIF89a....PK\u{3}\u{5}", false), ("%PDF-1.7 %PDF-", false), ("PK\u{3}\u{4}%PDF-", false),
        ("GIF89a....PPK\u{3}\u{4}", true), ("GIF89aPK\u{3}", false), ("<svg><?php", false),
        ("text <?php x", false), ("%PDF", false), ("hello", false),
    ])
    func whatIsTwoThingsIsNamed(beginning: String, isPolyglot: Bool) {
        let expected = isPolyglot ? ["type.polyglot"] : []
        for cut in cuts(of: SniffProbe.form(SniffProbe.bytes(beginning))) {
            #expect(SniffProbe.inspect(cut).findings.map(\.code) == expected)
        }
    }

    /// Only the first 512 bytes are looked at, and there to the last.
    @Test func whatIsHiddenFurtherBackIsNotSeen() {
        for (padding, isSeen) in [(502, true), (503, false), (600, false)] {
            let gif = SniffProbe.bytes("GIF89a") + [UInt8](repeating: 1, count: padding)
            let body = SniffProbe.form(gif + SniffProbe.bytes("PK\u{3}\u{4}...."))
            for cut in [[body[...]], body.indices.map { body[$0...$0] }] {
                let codes = SniffProbe.inspect(cut).findings.map(\.code)
                #expect(codes == (isSeen ? ["type.polyglot"] : []))
            }
        }
    }

    /// What is refused for a severity that the operator has set does not leave either.
    @Test(arguments: ["type.mismatch", "type.polyglot"])
    func whatTheOperatorBlocksNeverLeaves(code: String) throws {
        var policy = InspectionPolicy()
        policy.limits.holdBytes = 0
        try policy.findings.set(.block, of: code)
        let content = SniffProbe.bytes("%PDF-1.7 <?php") + [UInt8](repeating: 0x20, count: 2000)
        let body = SniffProbe.form(content, type: "image/png")
        for width in [1, 100, 511, 512, 513, body.count] {
            let cut = stride(from: 0, to: body.count, by: width).map {
                body[$0..<min($0 + width, body.count)]
            }
            let inspector = SniffProbe.inspect(cut, policy)
            #expect(inspector.refusal?.code == code)
            #expect(inspector.releasedOffset <= 5)
        }
    }

    @Test func anEmptyFileAndAFieldAreOfNoType() {
        var empty = SniffProbe.inspect([SniffProbe.form([])[...]])
        #expect(empty.takeClosedParts(everything: true).first?.sniffedType == nil)
        let field = Array("--b\r\n\(UploadRow.field("a"))<html>\r\n--b--".utf8)
        var inspector = SniffProbe.inspect([field[...]])
        #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == nil)
    }

    /// Nothing of a file of a denied type leaves, however large the file and small the hold.
    @Test(arguments: ["text/html", "text/*"])
    func aDeniedTypeNeverLeaves(denied: String) {
        var policy = InspectionPolicy()
        policy.deniedTypes = [denied]
        policy.limits.holdBytes = 0
        for size in [7, 511, 512, 513, 2000] {
            let html = Array("<html>".utf8) + [UInt8](repeating: 0x20, count: size - 6)
            let body = SniffProbe.form(html)
            for width in [1, 100, 511, 512, 513, body.count] {
                let cut = stride(from: 0, to: body.count, by: width).map {
                    body[$0..<min($0 + width, body.count)]
                }
                let inspector = SniffProbe.inspect(cut, policy)
                #expect(inspector.refusal?.code == "type.denied")
                // The delimiter line before the header block may have left.
                #expect(inspector.releasedOffset <= 5)
            }
        }
        let harmless = SniffProbe.form(
            SniffProbe.bytes("%PDF-1.7") + [UInt8](repeating: 1, count: 3000)
        )
        #expect(
            SniffProbe.inspect(harmless.indices.map { harmless[$0...$0] }, policy).refusal == nil
        )
    }

    @Test func whoDoesNotLookSeesNothing() {
        var policy = InspectionPolicy()
        policy.sniffs = false
        var inspector = SniffProbe.inspect(
            [SniffProbe.form(SniffProbe.bytes("<html>"), type: "image/png")[...]],
            policy
        )
        #expect(inspector.findings.isEmpty)
        #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == nil)
    }

    @Test func theOperatorSaysHowMuchAMismatchMatters() throws {
        let body = SniffProbe.form(SniffProbe.bytes("MZ\0\0"), type: "image/png")
        var policy = InspectionPolicy()
        #expect(SniffProbe.inspect([body[...]], policy).refusal == nil)
        policy.profile = .strict
        #expect(SniffProbe.inspect([body[...]], policy).findings.map(\.severity) == [.warn])
        try policy.findings.set(.block, of: "type.mismatch")
        #expect(SniffProbe.inspect([body[...]], policy).refusal?.code == "type.mismatch")
    }
}
