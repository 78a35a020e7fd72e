import Digest
import Inspection
import TestSupport
import Testing

/// Where several things stand against one file, all are noted, and each is as severe as it is.
@Suite struct SeveralReasonsTests {
    private static let claim = "Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==\r\n"

    static let bodies: [(body: String, part: Int)] = [
        (
            "--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\(claim)\r\n"
                + "hello\r\n--X--",
            0
        ),
        (NestedDigestTests.body(claim), 1),
    ]

    private static func lists(denying content: String) throws -> HashLists {
        var set = DigestSet([.sha256])
        set.update(Array(content.utf8).span)
        var deny = HashList()
        let isTaken = deny.insert(try #require(set.finish().first).bytes)
        #expect(isTaken)
        deny.seal()
        var allow = HashList()
        _ = allow.insert([UInt8](repeating: 0, count: 32))
        allow.seal()
        return HashLists(deny: deny, allow: allow)
    }

    @Test(arguments: bodies)
    func allAreNoted(_ row: (body: String, part: Int)) throws {
        var upload = Upload(body: row.body)
        upload.policy.nestedDepth = 1
        upload.policy.hashes = try Self.lists(denying: "hello")
        let codes = ["digest.mismatch", "hash.denied", "hash.not_allowed"]
        // Each is lowered in its turn: the first that is not decides.
        for lowered in 0...codes.count {
            for code in codes.prefix(lowered) { try upload.policy.findings.set(.warn, of: code) }
            for size in [1, 2, 7, 1 << 20] {
                let inspector = upload.inspect(pieces: size)
                let findings = inspector.findings.filter {
                    $0.part == row.part && codes.contains($0.code)
                }
                #expect(findings.map(\.code) == codes)
                #expect(findings.prefix(lowered).allSatisfy { $0.severity == .warn })
                if lowered < codes.count {
                    #expect(inspector.firstBlock?.code == codes[lowered])
                    #expect(inspector.firstBlock?.part == row.part)
                } else {
                    // The other file within is not on the list either, but that only warns.
                    #expect(inspector.firstBlock == nil)
                }
            }
        }
    }

    /// A type that is denied is no reason not to ask whether it is what was declared.
    @Test func aDeniedTypeMayBeAMismatchToo() throws {
        var upload = Upload(
            body: "--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n"
                + "Content-Type: image/png\r\n\r\n<html>\r\n--X--"
        )
        upload.policy.deniedTypes = ["text/html"]
        try upload.policy.findings.set(.warn, of: "type.denied")
        try upload.policy.findings.set(.block, of: "type.mismatch")
        let inspector = upload.inspect()
        #expect(inspector.findings.map(\.code) == ["type.denied", "type.mismatch"])
        #expect(inspector.firstBlock?.code == "type.mismatch")
    }
}
