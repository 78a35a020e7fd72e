import Testing
import weir

@Suite struct HTTPArchiveTests {
    static let type = "multipart/form-data; boundary=X"
    static let body =
        "--X\\r\\nContent-Disposition: form-data; name=\\\"a\\\"\\r\\n\\r\\nh\\r\\n--X--\\r\\n"

    static let archive = """
        {"log": {"version": "1.2", "entries": [
          {"request": {"method": "GET", "url": "http://a/", "headers": []}},
          {"request": {"method": "POST", "url": "http://a/up", "bodySize": 100,
            "headers": [{"name": "content-type", "value": "\(type)"}],
            "postData": {"mimeType": "text/plain", "text": "\(body)"}}},
          {"request": {"method": "POST", "url": "http://a/b", "headers": [],
            "postData": {"mimeType": "\(type)", "encoding": "base64", "text": "AAEC/w=="}}},
          {"request": {"method": "POST", "url": "http://a/c", "headers": [],
            "postData": {"mimeType": "multipart/form-data; boundary=\\"X\\"", "text": null,
              "params": [{"name": "a\\"b", "value": "1"},
                {"name": "f", "fileName": "x.txt", "contentType": "text/plain"}]}}}
        ]}}
        """

    private func read(_ entry: Int?) throws -> HTTPArchive {
        try HTTPArchive(Array(Self.archive.utf8), entry: entry)
    }

    @Test func theFirstRequestWithABodyIsRead() throws {
        let archive = try read(nil)
        #expect(archive.contentType == Self.type)
        #expect(String(decoding: archive.body, as: UTF8.self).hasPrefix("--X\r\nContent-Disp"))
        #expect(archive.notes.first == "entry 1 of 4: POST http://a/up")
        #expect(archive.notes.count == 2, "the archive lacks bytes, and says so")
    }

    @Test func base64IsDecoded() throws {
        #expect(try read(2).body == [0, 1, 2, 255])
    }

    @Test func fieldsAreEncodedAnew() throws {
        #expect(
            String(decoding: try read(3).body, as: UTF8.self)
                == "--X\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\n1\r\n"
                + "--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x.txt\"\r\n"
                + "Content-Type: text/plain\r\n\r\n\r\n--X--\r\n"
        )
    }

    @Test func whatIsNotThereIsSaid() {
        let sentences = [
            (4, "the archive has no entry 4; its entries are 0 to 3"),
            (0, "the request of entry 0 has no body"),
        ]
        for (entry, sentence) in sentences {
            #expect(throws: UsageProblem(sentence)) { try read(entry) }
        }
        #expect(throws: UsageProblem("no request of the archive has a body")) {
            try HTTPArchive(Array(#"{"log":{"entries":[{}]}}"#.utf8), entry: nil)
        }
        #expect(throws: UsageProblem.self) { try HTTPArchive(Array("{".utf8), entry: nil) }
    }

    @Test func archivesAreToldByTheirBeginning() {
        for (text, expected) in [
            (Self.archive, true), ("\u{FEFF}{\n  \"log\" : {", true), ("{\"log\": 1}", false),
            ("{}", false), ("--X", false), ("", false),
        ] {
            #expect(HTTPArchive.matches(Array(text.utf8)[...]) == expected, "\(text.prefix(20))")
        }
    }
}
