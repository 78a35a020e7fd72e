import Digest
import Inspection
import TestSupport
import Testing

/// A file within a part is held to its digests and to the lists like any other file.
@Suite struct NestedDigestTests {
    static let md5 = "XUFAKrxLKna5cZ2REBfFkg=="  // of "hello"

    /// A form whose only part holds `hello` as a file; the file's own header fields before it.
    static func body(_ fields: String = "") -> String {
        NestedTests.outer(
            "--Y\r\nContent-Disposition: file; filename=\"a\"\r\n\(fields)\r\nhello\r\n"
                + "--Y\r\nContent-Disposition: file; filename=\"b\"\r\n\r\nother\r\n--Y--"
        )
    }

    static let rows: [(fields: String, code: String?)] = [
        ("", nil),
        ("Content-MD5: \(md5)\r\n", nil),
        ("Content-Digest: unknown=:AAAA:\r\n", nil),
        ("Content-MD5: AAAAAAAAAAAAAAAAAAAAAA==\r\n", "digest.mismatch"),
        ("Content-MD5: hello\r\n", "digest.malformed"),
    ]

    @Test(arguments: rows)
    func digestsOfItsOwnAreChecked(_ row: (fields: String, code: String?)) throws {
        let body = Self.body(row.fields)
        let end = try #require(Self.end(of: "hello", in: body))
        for size in [1, 2, 3, 5, 8, 1 << 20] {
            var upload = Upload(body: body)
            upload.policy.nestedDepth = 1
            upload.policy.limits.holdBytes = 0
            upload.policy.digests = [.sha1, .crc32]
            var inspector = upload.inspect(pieces: size)
            #expect(inspector.firstBlock?.code == row.code)
            #expect(inspector.firstBlock?.part == (row.code == nil ? nil : 1))
            if row.code != nil { #expect(inspector.releasedOffset <= end) }
            let parts = inspector.takeClosedParts(everything: true)
            // Of a part that is refused for its header block, nothing is read.
            if row.code != "digest.malformed" {
                #expect(parts.allSatisfy { $0.digests.map(\.algorithm) == ["sha1", "crc32"] })
            }
            guard row.code == nil else {
                #expect(parts.first?.state == .rejected)
                continue
            }
            #expect(parts.map(\.index) == [1, 2, 0, 3])
            #expect(
                parts.first?.digests.first?.hexadecimal
                    == "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d"
            )
        }
    }

    @Test(arguments: ["hello", "other"])
    func listsAreAsked(_ content: String) throws {
        let body = Self.body()
        let end = try #require(Self.end(of: content, in: body))
        var set = DigestSet([.sha1])
        set.update(Array(content.utf8).span)
        var list = HashList()
        let isTaken = list.insert(try #require(set.finish().first).bytes)
        #expect(isTaken)
        list.seal()
        for size in [1, 2, 3, 5, 8, 1 << 20] {
            var upload = Upload(body: body)
            upload.policy.nestedDepth = 1
            upload.policy.limits.holdBytes = 0
            upload.policy.hashes = HashLists(deny: list, allow: HashList())
            let denied = upload.inspect(pieces: size)
            #expect(denied.firstBlock?.code == "hash.denied")
            #expect(denied.firstBlock?.offset == end)
            #expect(denied.firstBlock?.part == (content == "hello" ? 1 : 2))
            #expect(denied.releasedOffset <= end)
            upload.policy.hashes = HashLists(deny: HashList(), allow: list)
            let allowed = upload.inspect(pieces: size)
            #expect(allowed.firstBlock?.code == "hash.not_allowed")
            #expect(allowed.firstBlock?.part == (content == "hello" ? 2 : 1))
        }
    }

    /// Gate G3: of a small part within a large one nothing leaves before its end has passed.
    @Test func aSmallPartWithinALargeOneIsHeld() throws {
        let large = String(repeating: "x", count: 100)
        let head = "Content-Disposition: file; filename=\"b\"\r\n\r\nother"
        let body = NestedTests.outer(
            "--Y\r\nContent-Disposition: file; filename=\"a\"\r\n\r\n\(large)\r\n"
                + "--Y\r\n\(head)\r\n--Y--"
        )
        var set = DigestSet([.md5])
        set.update(Array("other".utf8).span)
        var list = HashList()
        let isTaken = list.insert(try #require(set.finish().first).bytes)
        #expect(isTaken)
        list.seal()
        let text = Array(body.utf8)
        let begin = try #require(text.indices.first { text[$0...].starts(with: head.utf8) })
        for size in [1, 2, 3, 5, 8, 50] {
            var upload = Upload(body: body)
            upload.policy.nestedDepth = 1
            upload.policy.limits.holdBytes = 10
            upload.policy.hashes = HashLists(deny: list, allow: HashList())
            let denied = upload.inspect(pieces: size)
            #expect(denied.firstBlock?.code == "hash.denied")
            #expect(denied.releasedOffset <= begin)
            #expect(denied.releasedOffset > 0)
        }
    }

    private static func end(of content: String, in body: String) -> Int? {
        let (text, wanted) = (Array(body.utf8), Array("\r\n\r\n\(content)".utf8))
        return text.indices.first { text[$0...].starts(with: wanted) }.map { $0 + wanted.count }
    }
}
