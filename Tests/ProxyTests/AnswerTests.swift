import Foundation
import HTTP1
import Inspection
import Testing
import Wire

@testable import Proxy

/// Weir's own answers: status, document, and the names of what went wrong.
@Suite struct AnswerTests {
    @Test(arguments: [
        ("limit.body", 413), ("limit.part_size", 413), ("limit.parts", 413), ("limit.files", 413),
        ("limit.non_file_bytes", 413), ("contract.too_large", 413),
        ("content_type.denied", 415), ("content_type.not_multipart", 415), ("type.denied", 415),
        ("contract.type_denied", 415), ("contract.not_a_form", 415),
        ("contract.missing_field", 422), ("digest.mismatch", 422), ("hash.denied", 422),
        ("type.mismatch", 422), ("type.polyglot", 422),
        ("boundary.missing", 400), ("content_type.duplicate_header", 400), ("line.bare_lf", 400),
        ("part_header.nul", 400), ("", 400),
    ])
    func statusOfACode(code: String, status: Int) {
        #expect(AnswerStatus.status(of: code) == status)
    }

    @Test(arguments: PolicyReason.allCases)
    func everyPolicyReasonHasAStatusOfItsOwnKind(_ reason: PolicyReason) {
        let isLimit = reason.rawValue.hasPrefix("limit.") || reason == .contractTooLarge
        #expect((AnswerStatus.status(of: reason.rawValue) == 413) == isLimit)
    }

    @Test func aRefusalIsAProblemDocument() throws {
        let problem = Problem(
            Finding(
                code: "filename.control",
                severity: .block,
                detail: "A \"quoted\" detail,\nover two lines.",
                offset: 12,
                part: 3,
                reference: "x"
            )
        )
        let answer = try Answer(problem.answer(requestID: "ID", isHead: false, closes: true))
        #expect(
            answer.head == """
                HTTP/1.1 400 Bad Request\r
                Content-Type: application/problem+json\r
                Content-Length: \(answer.body.count)\r
                Cache-Control: no-store\r
                Proxy-Status: weir; error=http_request_denied; details="filename.control"\r
                Connection: close\r
                \r\n
                """
        )
        let document = try answer.document()
        #expect(
            document == [
                "type": "urn:weir:finding:filename.control", "title": "Bad Request",
                "status": 400, "detail": "A \"quoted\" detail,\nover two lines.",
                "instance": "urn:uuid:ID", "code": "filename.control", "part": 3, "offset": 12,
            ]
        )
    }

    @Test func aFaultOfTheFramingNamesItsOffset() throws {
        let problem = Problem(HTTPFault(.transferEncodingUnknown, at: 40))
        let answer = try Answer(problem.answer(requestID: "ID", isHead: false, closes: false))
        #expect(answer.head.hasPrefix("HTTP/1.1 501 Not Implemented\r\n"))
        #expect(!answer.head.contains("Connection"))
        let document = try answer.document()
        #expect(document["code"] as? String == "http.transfer_encoding_unknown")
        #expect(document["offset"] as? Int == 40)
        #expect(document["part"] == nil)
        #expect(problem.finding?.severity == .block)
    }

    @Test func headIsAnsweredWithoutADocument() throws {
        let problem = Problem(ProxyReason.upstreamClosed)
        let whole = try Answer(problem.answer(requestID: "ID", isHead: false, closes: false))
        let head = try Answer(problem.answer(requestID: "ID", isHead: true, closes: false))
        #expect(head.head == whole.head)
        #expect(head.body.isEmpty)
        #expect(!whole.body.isEmpty)
    }

    @Test(arguments: ProxyReason.allCases)
    func everyProxyReasonMakesAnAnswer(_ reason: ProxyReason) throws {
        let problem = Problem(reason, at: 5)
        let answer = try Answer(problem.answer(requestID: "ID", isHead: false, closes: true))
        #expect(answer.head.hasPrefix("HTTP/1.1 \(reason.status) "))
        #expect(
            answer.head.contains("\r\nProxy-Status: weir; error=\(reason.proxyError); details=")
        )
        let isForNow = reason.status == 503 || reason.status == 429
        #expect(answer.head.contains("\r\nRetry-After: 1\r\n") == isForNow)
        #expect(answer.head.contains("\r\nAllow: ") == (reason.status == 405))
        let document = try answer.document()
        #expect(document["code"] as? String == reason.rawValue)
        #expect(document["detail"] as? String == reason.explanation)
        #expect(problem.finding?.reference == reason.reference)
        #expect(problem.blamesProxy == (reason.status == 503))
        #expect((400...599).contains(reason.status))
    }

    @Test func codesAreUniqueAndDisjoint() {
        let proxy = ProxyReason.allCases.map(\.rawValue)
        let http = HTTPReason.allCases.map(\.rawValue)
        let policy = PolicyReason.allCases.map(\.rawValue)
        #expect(Set(proxy + http + policy).count == proxy.count + http.count + policy.count)
    }

    @Test func theSinkListsItsParts() throws {
        var part = PartReport(
            index: 0,
            kind: .file,
            state: .complete,
            name: "a\"b",
            filename: "x",
            headOffset: 0,
            contentOffset: 10,
            endOffset: 14
        )
        part.digests = [PartDigest(algorithm: "sha256", hexadecimal: "00ff")]
        let sink = SinkAnswer(status: 201, parts: [part], bodyBytes: 99)
        let answer = try Answer(sink.answer(isHead: false, closes: false, isOldClient: true))
        #expect(answer.head.hasPrefix("HTTP/1.1 201 Created\r\nContent-Type: application/json\r\n"))
        #expect(answer.head.hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
        let parts: [[String: Any]] = [
            ["index": 0, "name": "a\"b", "filename": "x", "size": 4, "sha256": "00ff"]
        ]
        #expect(try answer.document() == ["bytes": 99, "parts": parts])
        let closing = try Answer(sink.answer(isHead: true, closes: true, isOldClient: true))
        #expect(closing.head.hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(closing.body.isEmpty)
    }
}

/// Head and body of an answer with a Content-Length.
private struct Answer {
    let head: String
    let body: [UInt8]

    init(_ bytes: [UInt8]) throws {
        let end = try #require(
            bytes.indices.first { bytes[$0...].starts(with: [13, 10, 13, 10]) }
        )
        head = String(decoding: bytes[..<(end + 4)], as: UTF8.self)
        body = Array(bytes[(end + 4)...])
        let isCounted = head.contains("\r\nContent-Length: \(body.count)\r\n")
        #expect(isCounted || body.isEmpty)
    }

    func document() throws -> NSDictionary {
        try #require(try JSONSerialization.jsonObject(with: Data(body)) as? NSDictionary)
    }
}
