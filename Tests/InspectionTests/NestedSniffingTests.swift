import Inspection
import TestSupport
import Testing

/// Files within parts are looked at like any others.
@Suite struct NestedSniffingTests {
    /// A form with a file of this content within its only part.
    private static func form(_ content: String, type: String) -> String {
        NestedTests.outer(
            "--Y\r\nContent-Disposition: file; filename=\"a\"\r\nContent-Type: \(type)\r\n\r\n"
                + "\(content)\r\n--Y--"
        )
    }

    private static func upload(_ body: String) -> Upload {
        var upload = Upload(body: body)
        upload.policy.nestedDepth = 1
        upload.policy.limits.holdBytes = 0
        return upload
    }

    private static func codes(_ inspector: borrowing UploadInspector) -> [String] {
        inspector.findings.map(\.code).filter { $0.hasPrefix("type.") }
    }

    @Test func theirTypeIsRecorded() {
        let upload = Self.upload(Self.form("GIF89a..", type: "image/gif"))
        for size in [1, 7, 1 << 20] {
            var inspector = upload.inspect(pieces: size)
            #expect(Self.codes(inspector) == [])
            let types = inspector.takeClosedParts(everything: true).map(\.sniffedType)
            #expect(types == ["image/gif", nil, nil])
        }
    }

    @Test func nobodyLooksWhereItIsOff() {
        var upload = Self.upload(Self.form("<html>", type: "image/gif"))
        upload.policy.sniffs = false
        var inspector = upload.inspect()
        #expect(Self.codes(inspector) == [])
        #expect(inspector.takeClosedParts(everything: true)[0].sniffedType == nil)
        upload.policy.deniedTypes = ["text/html"]
        #expect(upload.inspect().firstBlock?.code == "type.denied")
    }

    @Test func aMismatchIsNoted() throws {
        var upload = Self.upload(Self.form("<html>", type: "image/gif"))
        let finding = try #require(upload.inspect().findings.last)
        #expect(finding.code == "type.mismatch" && finding.part == 1)
        #expect(finding.severity == .notice)
        try upload.policy.findings.set(.block, of: "type.mismatch")
        #expect(upload.inspect().firstBlock?.code == "type.mismatch")
    }

    /// Nothing of such a file leaves, however large it is, and no more is withheld than there is
    /// room for.
    @Test(arguments: [7, 511, 512, 513, 3000])
    func aDeniedTypeNeverLeaves(size: Int) throws {
        let html = "<html>" + String(repeating: " ", count: size - 6)
        let refused = Self.form(html, type: "text/html")
        let passed = Self.form(String(repeating: "y", count: size), type: "text/html")
        let head = try #require(
            Array(refused.utf8).firstRange(of: Array("Content-Disposition: file".utf8))
        ).lowerBound
        for width in [1, 100, 511, 512, 513, 1 << 20] {
            var upload = Self.upload(refused)
            upload.policy.deniedTypes = ["text/html"]
            let inspector = upload.inspect(pieces: width)
            #expect(inspector.firstBlock?.code == "type.denied")
            #expect(inspector.firstBlock?.offset == head + 68)
            #expect(inspector.releasedOffset <= head)
            upload.body = passed
            #expect(upload.inspect(pieces: width).firstBlock == nil)
        }
    }

    @Test func theBeginningIsAllThatIsWithheld() {
        var upload = Self.upload(Self.form(String(repeating: "y", count: 9000), type: "text/plain"))
        upload.policy.deniedTypes = ["text/html"]
        let bytes = Array(upload.body.utf8)
        let bound = UploadInspector.mostWithheld(under: upload.policy)
        var inspector = UploadInspector([upload.contentType], policy: upload.policy)
        for index in bytes.indices {
            inspector.consume(bytes[index...index])
            #expect(inspector.receivedOffset - inspector.releasedOffset <= bound)
        }
        #expect(inspector.releasedOffset > 9000)
    }
}
