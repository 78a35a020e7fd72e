import HTTP1
import Testing
import Wire

@Suite struct WriterTests {
    private func text(_ writer: HeadWriter) -> String {
        String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func aHeadIsWrittenLineByLine() {
        var writer = HeadWriter()
        writer.requestLine(method: "POST", target: "/a?b")
        writer.field(name: "Host", value: "h:80")
        writer.field(name: "Content-Length", value: 12)
        writer.finish()
        #expect(text(writer) == "POST /a?b HTTP/1.1\r\nHost: h:80\r\nContent-Length: 12\r\n\r\n")
    }

    @Test func noValueCanAddALine() {
        var writer = HeadWriter()
        writer.requestLine(method: "GE\r\nT", target: "/ HTTP/1.1\r\nX: y")
        writer.field(name: "A", value: "b\r\nC: \0\u{1}é\tx")
        writer.finish()
        #expect(text(writer) == "GET /HTTP/1.1X:y HTTP/1.1\r\nA: bC: é\tx\r\n\r\n")
        var response = HeadWriter()
        response.statusLine(200, reason: "a\r\n\r\nb")
        #expect(text(response) == "HTTP/1.1 200 ab\r\n")
    }

    @Test(arguments: [
        (200, "HTTP/1.1 200 OK\r\n"), (413, "HTTP/1.1 413 Content Too Large\r\n"),
        (299, "HTTP/1.1 299 Success\r\n"), (999, "HTTP/1.1 999 \r\n"),
        (-1, "HTTP/1.1 500 Internal Server Error\r\n"),
        (1000, "HTTP/1.1 500 Internal Server Error\r\n"),
    ])
    func statusLines(_ code: Int, _ line: String) {
        var writer = HeadWriter()
        writer.statusLine(code)
        #expect(text(writer) == line)
    }

    @Test(arguments: [
        ("GET /a%2F?b", "GET /a%2F?b HTTP/1.1\r\n"),
        ("GET http://a.b/c?d", "GET /c?d HTTP/1.1\r\n"),
        ("GET http://a.b", "GET / HTTP/1.1\r\n"),
        ("GET http://a.b?d", "GET /?d HTTP/1.1\r\n"),
        ("OPTIONS *", "OPTIONS * HTTP/1.1\r\n"),
        ("OPTIONS http://a.b:8", "OPTIONS * HTTP/1.1\r\n"),
        ("OPTIONS http://a.b?d", "OPTIONS /?d HTTP/1.1\r\n"),
        ("OPTIONS http://a.b/", "OPTIONS / HTTP/1.1\r\n"),
    ])
    func requestLinesGoUpstreamInOriginForm(_ line: String, _ expected: String) throws {
        let input = Array("\(line) HTTP/1.0\r\n\r\n".utf8)
        let head = try #require(RequestOutcome(parsing: [input[...]]).head)
        var writer = HeadWriter()
        writer.requestLine(of: head)
        #expect(text(writer) == expected)
    }

    @Test func linesAreCopiedAsReceived() throws {
        var input = Array("HTTP/1.1 207 Multi\r\nx-RAW:\t".utf8)
        input += [0xE9, 0x20, 0x22]
        input += Array(" \r\nX-Empty:\r\n\r\n".utf8)
        let head = try #require(ResponseOutcome(parsing: [input[...]]).head)
        var writer = HeadWriter()
        writer.statusLine(of: head)
        for line in head.fields.lines { writer.field(copying: line, of: head.fields) }
        writer.field(name: "Y", copying: head.fields.lines[0].value, of: head.fields)
        let raw: [UInt8] = [0xE9, 0x20, 0x22, 0x0D, 0x0A]
        var expected = Array("HTTP/1.1 207 Multi\r\nx-RAW: ".utf8) + raw
        expected += Array("X-Empty: \r\nY: ".utf8) + raw
        #expect(writer.bytes == expected)
    }

    @Test(arguments: [
        (1, "1\r\n"), (15, "f\r\n"), (16, "10\r\n"), (255, "ff\r\n"), (65536, "10000\r\n"),
        (Int.max, "7fffffffffffffff\r\n"), (0, ""), (-1, ""),
    ])
    func chunkHeaders(_ size: Int, _ expected: String) {
        var bytes: [UInt8] = []
        ChunkWriter.appendHeader(size: size, to: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }
}
