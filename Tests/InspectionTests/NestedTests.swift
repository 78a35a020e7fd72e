import Inspection
import TestSupport
import Testing

@Suite struct NestedTests {
    static func nest(_ content: String, boundary: String = "Y") -> String {
        "Content-Type: multipart/mixed; boundary=\(boundary)\r\n\r\n\(content)"
    }

    static let inner = """
        --Y\r
        Content-Disposition: file; filename="a.txt"\r
        \r
        hello\r
        --Y\r
        \(nest("--Z\r\nX-Deep: 1\r\n\r\ndeep\r\n--Z--", boundary: "Z"))\r
        --Y--
        """

    static func outer(_ inner: String) -> String {
        "--X\r\nContent-Disposition: form-data; name=\"files\"\r\n\(nest(inner))\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nlast\r\n--X--\r\n"
    }

    private func upload(_ body: String, depth: Int) -> Upload {
        var upload = Upload(body: body)
        upload.policy.nestedDepth = depth
        return upload
    }

    @Test(arguments: Profile.allCases)
    func partsWithinPartsAreReported(_ profile: Profile) {
        let body = Self.outer(Self.inner)
        var upload = upload(body, depth: 2)
        upload.policy.profile = profile
        for size in [1, 2, 7, 1 << 20] {
            var inspector = upload.inspect(pieces: size)
            #expect(inspector.firstBlock == nil)
            let parts = inspector.takeClosedParts(everything: true)
            #expect(parts.map(\.index) == [1, 3, 2, 0, 4])
            #expect(parts.map(\.parent) == [0, 2, 0, nil, nil])
            #expect(parts.map(\.filename) == ["a.txt", nil, nil, nil, nil])
            let texts = parts.map { part in
                String(
                    decoding: Array(body.utf8)[part.contentOffset..<part.endOffset],
                    as: UTF8.self
                )
            }
            #expect(texts[0] == "hello" && texts[1] == "deep" && texts[4] == "last")
            #expect(
                parts[0].digests[0].hexadecimal
                    == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
            )
            #expect(parts.allSatisfy { $0.state == .complete && $0.isCommitted })
        }
    }

    @Test func depthIsALimit() {
        let body = Self.outer(Self.inner)
        #expect(upload(body, depth: 0).inspect().firstBlock?.code == "part.nested_multipart")
        let finding = upload(body, depth: 1).inspect().firstBlock
        #expect(finding?.code == "part.nested_multipart")
        #expect(finding?.part == 2)
        #expect(upload(body, depth: 2).inspect().firstBlock == nil)
        #expect(upload(body, depth: 3).inspect().firstBlock == nil)
    }

    /// What is wrong inside, the code, and the text in the body at which it is.
    static let broken: [(inner: String, code: String, mark: String)] = [
        ("text\r\n" + inner, "preamble.present", "text\r\n--Y"),
        ("--Y\r\nA: b\r\n\r\nx\r\n--Yz", "delimiter.trailing_bytes", "z\r\n--X"),
        ("--Y\r\nA: b\r\n\r\nx", "final_delimiter.missing", "\r\n--X\r\nContent-Disposition"),
        ("--Y\r\nAb\r\n\r\nx\r\n--Y--", "part_header.no_colon", "\r\n\r\nx\r\n--Y--"),
        ("--Y\r\nA: b\n\r\nx\r\n--Y--", "line.bare_lf", "\n\r\nx\r\n"),
        (inner + "\r\nmore", "epilogue.present", "more"),
    ]

    /// The same for every cut, and nothing from the bad block on has left.
    @Test(arguments: broken)
    func whatIsWrongInsideIsFound(_ row: (inner: String, code: String, mark: String)) throws {
        var body = Self.outer(row.inner)
        if row.code == "final_delimiter.missing" {
            body = body.split(separator: "\r\n--X\r\nContent-Disposition: form-data; name=\"b\"")
                .joined(separator: "\r\n--X\r\nContent-Disposition: form-data; name=\"c\"")
        }
        let bytes = Array(body.utf8)
        let mark = Array(row.mark.utf8)
        let offset = try #require(
            (0..<bytes.count - mark.count).last { bytes[$0..<$0 + mark.count].elementsEqual(mark) }
        )
        for size in [1, 3, 16, 1 << 20] {
            for hold in [0, 64 << 10] {
                var upload = upload(body, depth: 3)
                upload.policy.limits.holdBytes = hold
                let inspector = upload.inspect(pieces: size)
                #expect(inspector.firstBlock?.code == row.code)
                #expect(inspector.firstBlock?.offset == offset)
                #expect(inspector.releasedOffset <= offset)
            }
        }
    }

    /// A header block inside is withheld until it has passed, whatever `hold` says.
    @Test func headersWithinPartsAreGated() {
        let body = Self.outer("--Y\r\nA: b\r\n\r\nx\r\n--Y\r\nC: \u{0}\r\n\r\ny\r\n--Y--")
        var upload = upload(body, depth: 1)
        upload.policy.limits.holdBytes = 0
        let text = Array(body.utf8)
        let second = text.indices.last { text[$0...].starts(with: "C: ".utf8) } ?? 0
        let inspector = upload.inspect(pieces: 1)
        #expect(inspector.firstBlock?.code == "part_header.nul")
        #expect(inspector.releasedOffset <= second)
        #expect(inspector.releasedOffset > 0)
    }

    @Test func limitsCountThemAll() {
        var upload = upload(Self.outer(Self.inner), depth: 2)
        upload.policy.limits.parts = 3
        #expect(upload.inspect().firstBlock?.code == "limit.parts")
        upload.policy.limits.parts = 5
        #expect(upload.inspect().firstBlock == nil)
    }

    static let types = [
        "multipart/mixed", "multipart/mixed; boundary=\"\"", "multipart/x; boundary=\"é\"",
    ]

    @Test(arguments: types)
    func aBoundaryIsNeededInsideToo(_ type: String) {
        let body =
            "--X\r\nContent-Disposition: form-data; name=\"f\"\r\nContent-Type: \(type)\r\n\r\n"
            + "--Y--\r\n--X--\r\n"
        let code = upload(body, depth: 1).inspect().firstBlock?.code
        #expect(code?.hasPrefix("boundary.") == true, "\(code ?? "none")")
    }
}
