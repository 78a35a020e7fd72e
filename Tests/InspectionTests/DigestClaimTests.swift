import Digest
import Inspection
import TestSupport
import Testing

/// What a message states of its content is held against the content, before its end is let go.
@Suite struct DigestClaimTests {
    /// RFC 9530 §B.1 and the published digests of `{"hello": "world"}` and a line feed.
    static let content = Array("{\"hello\": \"world\"}\n".utf8)
    static let sha256 = "RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg="

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let field: DigestField
        let code: String?

        init(_ value: String, _ field: DigestField = .contentDigest, _ code: String? = nil) {
            testDescription = value
            self.field = field
            self.code = code
        }
    }

    static let rows = [
        Row("sha-256=:\(sha256):"),
        Row("SHA-256=:\(sha256):"),
        Row("sha-256=:\(sha256):", .reprDigest),
        Row("unknown=:AAAA:, sha-256=:\(sha256):"),
        Row("unknown=:AAAA:"),
        Row("unknown"),
        Row("unknown=1;a=2"),
        Row("sha-256=:\(sha256):;a=1; b"),
        Row("unknown;a, sha-256=:\(sha256):"),
        Row("\(sha256)", .amazonChecksum(.sha256)),
        Row(
            "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
            .contentDigest,
            "digest.mismatch"
        ),
        Row("AAAAAAAAAAAAAAAAAAAAAA==", .contentMD5, "digest.mismatch"),
        Row("AAAAAA==", .amazonChecksum(.crc32), "digest.mismatch"),
        Row("sha-256=\(sha256)", .contentDigest, "digest.malformed"),
        Row("sha-256", .contentDigest, "digest.malformed"),
        Row("sha-256=", .contentDigest, "digest.malformed"),
        Row("sha-256=:", .contentDigest, "digest.malformed"),
        Row("sha-256=::", .contentDigest, "digest.malformed"),
        Row("sha-256;a=:\(sha256):", .contentDigest, "digest.malformed"),
        Row("sha-256=:\(sha256):a", .contentDigest, "digest.malformed"),
        Row("sha-256 =:\(sha256):", .contentDigest, "digest.malformed"),
        Row("=:\(sha256):", .contentDigest, "digest.malformed"),
        Row("\"unknown\"=1", .contentDigest, "digest.malformed"),
        Row("sha-256=:\(sha256):;a=\",\"", .contentDigest, "digest.malformed"),
        Row("sha-256=:AAAA:", .contentDigest, "digest.malformed"),
        Row("sha-256=:\(sha256.dropLast()):", .contentDigest, "digest.malformed"),
        Row("", .contentDigest, "digest.malformed"),
        Row("sha-256=:\(sha256):,", .contentDigest, "digest.malformed"),
        Row("AAAAAAAAAAAAAAAAAAAAAB==", .contentMD5, "digest.malformed"),
        Row("AAAA AA==", .amazonChecksum(.crc32c), "digest.malformed"),
    ]

    @Test(arguments: rows)
    func everyCutGivesTheSameVerdict(_ row: Row) {
        for cut in cuts(of: Self.content) {
            var inspector = UploadInspector(
                contentType: [Array("application/json".utf8)[...]],
                declaredLength: Self.content.count,
                digestFields: [(row.field, Array(row.testDescription.utf8)[...])],
                policy: InspectionPolicy()
            )
            for piece in cut.dropLast() { inspector.consume(piece.span) }
            if let last = cut.last { inspector.consume(last.span) }
            // The caller ends the body before it lets go of the last piece's bytes.
            let before = inspector.releasedOffset
            inspector.finish()
            #expect(inspector.refusal?.code == row.code)
            if row.code == nil {
                #expect(inspector.releasedOffset == Self.content.count)
            } else {
                #expect(inspector.releasedOffset <= before)
            }
        }
    }

    /// What is not checked is said, once, and harms nobody unless the operator says so.
    @Test(arguments: [("unknown=1", 1), ("unknown=1, sha-256=:\(sha256):", 1), ("sha-512", 0)])
    func whatIsNotCheckedIsSaid(_ value: String, count: Int) throws {
        for severity in [nil, Severity.block] {
            var policy = InspectionPolicy()
            if let severity { try policy.findings.set(severity, of: "digest.unchecked") }
            var inspector = UploadInspector(
                contentType: [],
                declaredLength: Self.content.count,
                digestFields: [(.contentDigest, Array(value.utf8)[...])],
                policy: policy,
                continuesAfterBlock: true
            )
            inspector.consume(Self.content.span)
            inspector.finish()
            let found = inspector.findings.filter { $0.code == "digest.unchecked" }
            #expect(found.count == count)
            #expect(found.allSatisfy { $0.severity == severity ?? .info })
        }
    }

    @Test func aTrailerThatWasAnnouncedIsHeldAgainstTheContent() {
        for (value, code) in [
            ("sha-256=:\(Self.sha256):", nil),
            ("sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:", "digest.mismatch"),
        ] {
            for isAnnounced in [true, false] {
                var inspector = UploadInspector(
                    contentType: [],
                    declaredLength: nil,
                    announcedDigests: isAnnounced ? [.sha256, .sha512] : [],
                    policy: InspectionPolicy()
                )
                inspector.consume(Self.content.span)
                inspector.finish(digestTrailers: [(.contentDigest, Array(value.utf8)[...])])
                // What nobody announced could not be computed, and goes no further.
                #expect(inspector.refusal?.code == (isAnnounced ? code : nil))
                let isSaid = inspector.findings.contains { $0.code == "digest.unchecked" }
                #expect(isSaid == !isAnnounced)
            }
        }
    }

    /// A part's own digest decides before the delimiter behind the part may leave (G4).
    @Test func aPartIsHeldToItsOwnDigest() {
        for (md5, code) in [
            ("XUFAKrxLKna5cZ2REBfFkg==", nil),  // of "hello"
            ("AAAAAAAAAAAAAAAAAAAAAA==", "digest.mismatch"),
        ] as [(String, String?)] {
            let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
            let start = "\(head)Content-MD5: \(md5)\r\n\r\nhello"
            let body = Array("\(start)\r\n--b\r\n\(UploadRow.field("a"))1\r\n--b--".utf8)
            for cut in cuts(of: body) {
                var policy = InspectionPolicy()
                policy.limits.holdBytes = 0
                var inspector = UploadInspector(
                    contentType: [Array("multipart/form-data; boundary=b".utf8)[...]],
                    declaredLength: nil,
                    policy: policy
                )
                for piece in cut where inspector.refusal == nil { inspector.consume(piece.span) }
                if inspector.refusal == nil { inspector.finish() }
                #expect(inspector.refusal?.code == code)
                #expect(inspector.releasedOffset <= (code == nil ? body.count : start.utf8.count))
                let parts = inspector.takeClosedParts(everything: true)
                #expect(parts.first?.state == (code == nil ? .complete : .rejected))
                // Checked, but not asked for: only the policy's digests are recorded.
                #expect(parts.first?.digests.map(\.algorithm) == ["sha256"])
            }
        }
    }

    @Test func everyDigestThatIsAskedForIsRecorded() {
        var policy = InspectionPolicy()
        policy.digests = [.sha256, .md5, .crc32c]
        var inspector = UploadInspector(contentType: [], declaredLength: 9, policy: policy)
        inspector.consume(Array("123456789".utf8).span)
        inspector.finish()
        let digests = inspector.takeClosedParts(everything: true).first?.digests ?? []
        #expect(digests.map(\.algorithm) == ["sha256", "md5", "crc32c"])
        #expect(digests.last?.hexadecimal == "e3069283")
    }

    @Test func knownFilesAreDeniedAndAllowed() throws {
        let file = Array("123456789".utf8)
        var md5 = DigestSet([.md5])
        md5.update(file.span)
        let known = try #require(md5.finish().first?.bytes)
        var list = HashList()
        let isTaken = list.insert([1, 2, 3])
        #expect(!isTaken)
        for index in 0..<1000 {
            let other = (0..<16).map { UInt8(truncatingIfNeeded: index &* 31 &+ $0) }
            _ = list.insert(other)
        }
        _ = list.insert(known)
        list.seal()
        #expect(list.algorithms == [.md5])
        let verdict: (HashLists, [UInt8]) -> String? = { lists, content in
            var policy = InspectionPolicy()
            policy.hashes = lists
            var inspector = UploadInspector(contentType: [], declaredLength: nil, policy: policy)
            inspector.consume(content.span)
            inspector.finish()
            return inspector.refusal?.code
        }
        let deny = HashLists(deny: list, allow: HashList())
        let allow = HashLists(deny: HashList(), allow: list)
        #expect(verdict(deny, file) == "hash.denied")
        #expect(verdict(deny, file + [0]) == nil)
        #expect(verdict(allow, file) == nil)
        #expect(verdict(allow, file + [0]) == "hash.not_allowed")
        // A browser sends a file input that was left empty like this: it is no file.
        var policy = InspectionPolicy()
        policy.hashes = allow
        var left = UploadInspector(["multipart/form-data; boundary=b"], policy: policy)
        left.consume(Array("--b\r\n\(UploadRow.file("f", ""))\r\n--b--".utf8)[...])
        left.finish()
        #expect(left.firstBlock == nil)
    }
}
