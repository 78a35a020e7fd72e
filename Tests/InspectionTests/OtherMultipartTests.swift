import Inspection
import Testing

@Suite struct OtherMultipartTests {
    /// As the Google APIs take uploads: metadata and media, without any disposition.
    static let related = """
        --X\r
        Content-Type: application/json; charset=UTF-8\r
        \r
        {"name": "x"}\r
        --X\r
        Content-Type: image/png\r
        \r
        png\r
        --X--\r

        """

    static let types = [
        "multipart/mixed; boundary=X", "multipart/related; boundary=X; type=\"application/json\"",
        "Multipart/Alternative; boundary=\"X\"", "multipart/x-unheard-of; boundary=X",
    ]

    @Test(arguments: types, Profile.allCases)
    func whatOnlyFormsNeedIsNotAskedOf(_ type: String, _ profile: Profile) {
        var upload = Upload(contentType: type, body: Self.related)
        upload.policy.profile = profile
        var inspector = upload.inspect()
        #expect(inspector.firstBlock == nil)
        #expect(inspector.firstStrictBlock == nil)
        #expect(inspector.releasedOffset == Self.related.utf8.count)
        let parts = inspector.takeClosedParts(everything: true)
        #expect(parts.map(\.kind) == [.file, .file])
        #expect(parts.map(\.size) == [13, 3])
    }

    @Test(arguments: Profile.allCases)
    func formsStillNeedIt(_ profile: Profile) {
        let types = ["multipart/form-data; boundary=X", "multipart/form-dataX; boundary=X"]
        for type in types {
            var upload = Upload(contentType: type, body: Self.related)
            upload.policy.profile = profile
            #expect(upload.inspect().firstBlock?.code == "disposition.missing")
        }
    }

    /// 2 MiB without a filename are no fields of a form.
    @Test func partsOfOthersAreNoFields() {
        let media = String(repeating: "m", count: 2 << 20)
        let upload = Upload(
            contentType: "multipart/related; boundary=X",
            body: "--X\r\nContent-Type: image/png\r\n\r\n\(media)\r\n--X--\r\n"
        )
        #expect(upload.inspect().firstBlock == nil)
    }

    static let framing: [(body: String, code: String)] = [
        ("text\r\n" + related, "preamble.present"),
        (String(related.dropLast(5)), "final_delimiter.missing"),
        (related + "more", "epilogue.present"),
        (related.split(separator: "--X--").joined(separator: "--Xy"), "delimiter.trailing_bytes"),
    ]

    @Test(arguments: framing)
    func framingIsJudgedAlike(_ row: (body: String, code: String)) {
        let upload = Upload(contentType: "multipart/mixed; boundary=X", body: row.body)
        let inspector = upload.inspect()
        #expect(inspector.firstBlock != nil)
        #expect(upload.inspect(continues: true).findings.contains { $0.code == row.code })
        #expect(inspector.releasedOffset == 0)
    }

    @Test func aTransferEncodingIsForStrictToBlock() {
        let body = """
            --X\r
            Content-Transfer-Encoding: base64\r
            \r
            aGVsbG8=\r
            --X--\r

            """
        var upload = Upload(contentType: "multipart/related; boundary=X", body: body)
        #expect(upload.inspect().firstBlock == nil)
        #expect(upload.inspect().firstStrictBlock?.code == "part.transfer_encoding")
        upload.policy.profile = .strict
        #expect(upload.inspect().firstBlock?.code == "part.transfer_encoding")
    }

    @Test func anOperatorMayAskForItAllTheSame() throws {
        var upload = Upload(contentType: "multipart/mixed; boundary=X", body: Self.related)
        try upload.policy.findings.set(.block, of: "disposition.missing")
        #expect(upload.inspect().firstBlock?.code == "disposition.missing")
    }

    @Test func contentTypesForbidThem() {
        var upload = Upload(contentType: "multipart/mixed; boundary=X", body: Self.related)
        upload.policy.contentTypes = ["multipart/form-data"]
        #expect(upload.inspect().firstBlock?.code == "content_type.denied")
    }
}
