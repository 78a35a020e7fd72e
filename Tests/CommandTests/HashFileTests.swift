import Digest
import Inspection
import TestSupport
import Testing
import weir

@Suite struct HashFileTests {
    static let md5 = "d41d8cd98f00b204e9800998ecf8427e"
    static let sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"
    static let sha256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

    /// A file, how many hashes it has, and the line that is no hash.
    static let rows: [(String, count: Int, mistake: Int?)] = [
        ("", 0, nil),
        ("\n\r\n \t\n# \(md5)\n  # comment", 0, nil),
        (md5, 1, nil),
        ("\(md5)\n\(sha1)\r\n\(sha256)\n", 3, nil),
        ("\(sha256)  a name\n\(sha256) *binary", 2, nil),
        (md5.uppercased() + "\t# a comment", 1, nil),
        // Indented, and as sha256sum writes a name that it had to escape: both are meant.
        ("  \(sha1)", 1, nil),
        ("\\\(sha256)  two\\nlines", 1, nil),
        ("\(md5)  \(String(repeating: "x", count: 10_000))\n\(sha1)", 2, nil),
        ("# fine\nno hash\n", 0, 2),
        ("\(md5)\n\n\(md5.dropLast())", 1, 3),
        ("\(sha256.dropLast(2))", 0, 1),
        ("\(sha256)\(sha256)", 0, 1),
        ("\(md5.dropLast())g", 0, 1),
        ("\(md5)#", 0, 1),
        ("name \(md5)", 0, 1),
        ("\\", 0, 1),
    ]

    @Test(arguments: rows)
    func everyCutGivesTheSameList(_ text: String, count: Int, mistake: Int?) throws {
        // Every cut of a long line would take long, and tell no more.
        let bytes = Array(text.utf8)
        let pieces = bytes.count > 1_000 ? [[bytes[...]]] : cuts(of: bytes)
        for cut in pieces {
            var list = HashList()
            var reader = HashFileReader(name: "list", size: bytes.count)
            var problem: UsageProblem?
            do throws(UsageProblem) {
                for piece in cut { try reader.consume(piece, into: &list) }
                try reader.finish(into: &list)
            } catch {
                problem = error
            }
            let sentence = mistake.map {
                "list, line \($0): expected the hexadecimal MD5, SHA-1 or SHA-256 of a file"
            }
            #expect(problem?.description == sentence)
            #expect(list.count == count)
        }
    }

    /// To accept nothing but what is on an empty list cannot be meant, nor to accept everything.
    @Test func anAllowListWithoutAHashIsRefused() throws {
        var files = HashFiles()
        files.allow = ["/dev/null"]
        #expect(throws: UsageProblems.self) { try files.load() }
        files.deny = files.allow
        files.allow = []
        #expect(try files.load()?.deny.isEmpty == true)
    }

    @Test func hashesAreThoseOfTheFile() throws {
        var list = HashList()
        var reader = HashFileReader(name: "list")
        try reader.consume(Array("  \(Self.md5.uppercased())\n".utf8)[...], into: &list)
        try reader.finish(into: &list)
        list.seal()
        var set = DigestSet([.md5])
        let digest = try #require(set.finish().first)
        #expect(list.contains(digest))
    }
}
