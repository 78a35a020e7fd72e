import Foundation
import Inspection
import TestSupport
import Testing
import weir

@Suite struct FileInspectionTests {
    static let type = "multipart/form-data; boundary=X"

    static let body = """
        --X\r
        Content-Disposition: form-data; name="caption"\r
        \r
        Reading on the train ☕\r
        --X\r
        Content-Disposition: form-data; name="photo"; filename="a%20b.txt"\r
        Content-Type: text/plain\r
        \r
        hello\r
        --X--\r

        """

    /// Everything but the last delimiter.
    static let cutBody = String(body.dropLast(9))

    static func request(_ framing: String, _ body: String, type: String = type) -> String {
        "POST /upload HTTP/1.1\r\nHost: x\r\nContent-Type: \(type)\r\n\(framing)\r\n\r\n\(body)"
    }

    static func chunked(_ body: String, size: Int = 7) -> String {
        let bytes = Array(body.utf8)
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: size) {
            let chunk = bytes[start..<min(start + size, bytes.count)]
            text += "\(String(chunk.count, radix: 16))\r\n"
            text.unicodeScalars.append(contentsOf: chunk.map { Unicode.Scalar($0) })
            text += "\r\n"
        }
        return text + "0\r\n\r\n"
    }

    private func inspect(
        _ pieces: [ArraySlice<UInt8>],
        contentType: String?
    ) throws -> InspectResult {
        var inspection = FileInspection(contentType: contentType, settings: CommandSettings())
        for piece in pieces where !inspection.isDone { try inspection.consume(piece) }
        return try inspection.finish().0
    }

    private func inspect(_ text: String, contentType: String? = nil) throws -> InspectResult {
        try inspect([Array(text.utf8)[...]], contentType: contentType)
    }

    @Test func jsonHasTheShapeOfTheDesign() throws {
        let line = try JSONText.line(inspect(Self.body, contentType: Self.type).json)
        let parsed = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let object = try #require(parsed as? [String: Any])
        #expect(object["verdict"] as? String == "allowed")
        #expect((object["findings"] as? [Any])?.isEmpty == true)
        let parts = try #require(object["parts"] as? [[String: Any]])
        try #require(parts.count == 2)
        #expect(parts[0]["index"] as? Int == 0)
        #expect(parts[0]["name"] as? String == "caption")
        #expect(parts[0]["filename"] is NSNull)
        #expect(parts[0]["content_type"] is NSNull)
        #expect(parts[0]["size"] as? Int == 24)
        #expect(parts[0]["offset"] as? Int == 55)
        #expect(parts[1]["filename"] as? String == "a%20b.txt")
        #expect(parts[1]["content_type"] as? String == "text/plain")
        #expect(parts[1]["state"] as? String == "complete")
        #expect(
            parts[1]["sha256"] as? String
                == "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
        )
    }

    @Test func findingsHaveTheShapeOfTheDesign() throws {
        let result = try inspect(Self.cutBody, contentType: Self.type)
        #expect(result.verdict == "blocked")
        let parsed = try JSONSerialization.jsonObject(with: Data(JSONText.line(result.json).utf8))
        let findings = try #require((parsed as? [String: Any])?["findings"] as? [[String: Any]])
        let finding = try #require(findings.first)
        #expect(finding["code"] as? String == "final_delimiter.missing")
        #expect(finding["severity"] as? String == "block")
        #expect(finding["offset"] is Int)
        #expect(Set(finding.keys) == ["code", "severity", "offset", "part", "detail", "reference"])
    }

    static let requests = [
        request("Content-Length: \(body.utf8.count)", body),
        request("Transfer-Encoding: chunked", chunked(body)),
        request("Transfer-Encoding: chunked", chunked(body, size: 1)),
        "\r\n" + request("Content-Length: \(body.utf8.count)", body),
    ]

    /// A saved request says of its body what the bare body says.
    @Test(arguments: [0, 1, 2, 3])
    func requestsAreUnwrapped(row: Int) throws {
        let bare = try inspect(Self.body, contentType: Self.type)
        // Chunks cut characters: the text is a sequence of bytes, one a scalar, past the head.
        let wrapped = try inspect([Self.bytes(of: row)[...]], contentType: nil)
        #expect(JSONText.line(wrapped.json) == JSONText.line(bare.json))
        #expect(wrapped.notes.isEmpty)
    }

    @Test(arguments: [0, 1, 2, 3])
    func everyCutGivesTheSameResult(row: Int) throws {
        let bytes = Self.bytes(of: row)
        let whole = try inspect([bytes[...]], contentType: nil)
        for cut in bytes.indices.dropFirst(30) {
            let halves = try inspect([bytes[..<cut], bytes[cut...]], contentType: nil)
            #expect(halves.json == whole.json, "cut at \(cut)")
        }
    }

    @Test func everyCutOfABareBodyGivesTheSameResult() throws {
        let bytes = Array(Self.body.utf8)
        let whole = try inspect([bytes[...]], contentType: Self.type)
        for cut in cuts(of: bytes) {
            #expect(try inspect(cut, contentType: Self.type).json == whole.json)
        }
    }

    static func bytes(of row: Int) -> [UInt8] {
        if row == 0 || row == 3 { return Array(requests[row].utf8) }
        return requests[row].unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    static let faults: [(String, code: String, at: Int)] = [
        ("POST /a HTTP/1.1\nHost: x\n\n", "http.bare_lf", 16),
        ("POST / HTTP/1.1\r\n\r\n", "http.host_missing", 0),
        ("POST / HTTP/1.1\r\nHost: x\r\n", "http.head_truncated", 26),
        (request("Content-Length: 9", "hello", type: "text/plain"), "http.body_truncated", 84),
        (
            request("Transfer-Encoding: chunked", "5\r\nhello\r\n0\n", type: "text/plain"),
            "http.chunk_line_end_invalid", 99
        ),
    ]

    @Test(arguments: faults)
    func faultsOfTheRequestBlock(_ row: (String, code: String, at: Int)) throws {
        let result = try inspect(row.0)
        let entry = try #require(result.entries.last)
        #expect(entry.finding.code == row.code)
        if row.code != "http.host_missing" { #expect(entry.place == .file(row.at)) }
        #expect(result.isBlocked)
    }

    @Test func whatFollowsTheRequestIsNoted() throws {
        let result = try inspect(Self.request("Content-Length: 2", "hiGET /", type: "text/plain"))
        #expect(result.notes.count == 1)
        #expect(!result.isBlocked)
        #expect(result.bodyBytes == 2)
    }

    @Test func aGuessIsNoted() throws {
        let result = try inspect(Self.body)
        #expect(
            result.notes == [
                "no --content-type: reading the file as multipart/form-data; boundary=\"X\""
            ]
        )
        #expect(result.parts.count == 2)
    }

    @Test(arguments: ["", "hello", "\u{0}"])
    func whatNothingTellsIsAUsageProblem(_ text: String) {
        #expect(throws: UsageProblem.self) { try inspect(text) }
    }

    /// The mode of the configuration says what is done about findings, not what they are.
    @Test func modeDoesNotChangeTheVerdict() throws {
        for mode in ["enforce", "observe", "off"] {
            let settings = try read(options: ["--mode", mode]).get()
            var inspection = FileInspection(contentType: Self.type, settings: settings)
            try inspection.consume(Array(Self.cutBody.utf8)[...])
            #expect(try inspection.finish().0.isBlocked)
        }
    }
}
