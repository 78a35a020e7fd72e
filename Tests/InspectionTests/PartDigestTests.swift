import Digest
import Inspection
import TestSupport
import Testing

/// The list of the parts' digests: what it says, and what it does not.
@Suite struct PartDigestTests {
    /// SHA-256 of "hello", as a list has it.
    private static let hello = "sha-256=:LPJNul+wow4m6DsqxbninhsWHlwfp0JecwQzYpOLmCQ=:"

    private static func part(_ disposition: String, _ content: String = "hello") -> String {
        "--X\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n\(content)\r\n"
    }

    private static func upload(_ body: String) -> Upload {
        var upload = Upload(body: body)
        upload.policy.partDigests = .both
        upload.policy.digests = [.md5]
        return upload
    }

    static let names: [(sent: String, written: String)] = [
        ("name=\"a\"", ";name=\"a\""),
        ("name=\"\"", ";name=\"\""),
        ("name=\"a b;c,d\"", ";name=\"a b;c,d\""),
        ("name=\"a\\b\"", ";name=\"a\\\\b\""),
        ("name=\"é\"", ""),
        ("name=\"a\tb\"", ""),
        (
            "name=\"\(String(repeating: "n", count: 64))\"",
            ";name=\"\(String(repeating: "n", count: 64))\""
        ),
        ("name=\"\(String(repeating: "n", count: 65))\"", ""),
    ]

    @Test(arguments: names)
    func aNameIsWrittenIfItCanBe(_ row: (sent: String, written: String)) throws {
        var upload = Self.upload(Self.part(row.sent) + "--X--\r\n")
        for code in ["part_header.control", "disposition.invalid_quoting"] {
            try upload.policy.findings.set(.warn, of: code)
        }
        let inspector = upload.inspect()
        #expect(inspector.firstBlock == nil, "\(inspector.findings)")
        #expect(inspector.partDigestField == "0\(row.written);\(Self.hello)")
    }

    @Test func everyCutGivesTheSameList() {
        var upload = Self.upload(NestedTests.outer(NestedTests.inner))
        upload.policy.nestedDepth = 2
        let lists = [1, 2, 3, 7, 1 << 20].map { upload.inspect(pieces: $0).partDigestField }
        let list = lists[0] ?? ""
        #expect(list.hasPrefix("1;parent=0;\(Self.hello), 3;parent=2;sha-256=:"))
        #expect(list.contains(", 0;name=\"files\";sha-256=:"))
        #expect(list.split(separator: ", ").count == 5)
        #expect(Set(lists) == [list])
    }

    @Test func aBodyThatIsOnePartHasOneDigest() {
        var upload = Self.upload("hello")
        upload.contentType = "image/png"
        #expect(upload.inspect().partDigestField == "0;\(Self.hello)")
    }

    /// Nothing of an upload that is not accepted, nor before it is.
    @Test func onlyWhatIsAcceptedIsTold() {
        let upload = Self.upload(Self.part("name=\"a\"") + "--X--\r\n")
        var inspector = UploadInspector([upload.contentType], policy: upload.policy)
        inspector.consume(Array(upload.body.utf8)[...])
        #expect(inspector.partDigestField == nil)
        inspector.finish()
        #expect(inspector.partDigestField != nil)

        var refused = upload
        refused.policy.limits.parts = 0
        #expect(refused.inspect(continues: true).partDigestField == nil)
        for mode in [Mode.observe, .off] {
            var other = upload
            other.policy.mode = mode
            #expect(other.inspect().partDigestField == nil)
        }
        var off = upload
        off.policy.partDigests = .off
        #expect(off.inspect().partDigestField == nil)
    }

    @Test func itIsBounded() throws {
        let parts = (0..<500).map { Self.part("name=\"\($0)\"", "\($0)") }.joined()
        var upload = Self.upload(parts + "--X--\r\n")
        upload.policy.limits.parts = 500
        let field = upload.inspect().partDigestField
        let list = try #require(field)
        #expect(list.utf8.count <= 4096 && list.utf8.count > 3900)
        let members = list.split(separator: ", ")
        let omitted = try #require(members.last.flatMap { Int($0.dropFirst("*;omitted=".count)) })
        #expect(members.count - 1 + omitted == 500)
    }
}
