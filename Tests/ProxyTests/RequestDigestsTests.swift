import Digest
import HTTP1
import Inspection
import Testing

@testable import Proxy

/// Which digest fields of a request are promises about the body that it sends.
@Suite struct RequestDigestsTests {
    static let repr = "Repr-Digest: sha-256=:AAAA:\r\n"
    static let content = "Content-Digest: sha-256=:AAAA:\r\n"
    static let amazon = "X-Amz-Checksum-Sha1: AAAA\r\n"
    static let all = content + repr + amazon + "Content-MD5: AAAA\r\n"

    /// The method, the fields, what is checked of the head, and what is computed for the trailer.
    static let rows: [(String, String, [DigestField], [DigestAlgorithm])] = [
        ("POST", all, [.contentDigest, .reprDigest, .amazonChecksum(.sha1), .contentMD5], []),
        ("PUT", repr + "Content-Encoding: gzip\r\n", [.reprDigest], []),
        ("PUT", content + repr + "Content-Range: bytes 0-4/9\r\n", [.contentDigest], []),
        ("PATCH", all, [.contentDigest, .amazonChecksum(.sha1), .contentMD5], []),
        ("PUT", amazon + content + "Content-Encoding: gzip, AWS-Chunked\r\n", [.contentDigest], []),
        ("POST", "X-Amz-Checksum-CRC64NVME: AAAA\r\n", [], []),
        ("POST", "Trailer: X, content-digest\r\n", [], [.sha256, .sha512]),
        ("POST", "Trailer: Content-MD5 ,\tx-amz-checksum-crc32c\r\n", [], [.md5, .crc32c]),
        ("PATCH", "Trailer: Repr-Digest\r\n", [], []),
        (
            "PUT", "Trailer: x-amz-checksum-crc32\r\nContent-Encoding: aws-chunked\r\n", [], []
        ),
    ]

    @Test(arguments: rows)
    func onlyWhatDescribesTheBodyIsChecked(
        _ method: String,
        _ fields: String,
        _ checked: [DigestField],
        _ announced: [DigestAlgorithm]
    ) throws {
        let head = "\(method) / HTTP/1.1\r\nHost: a\r\n\(fields)"
        let request = try RequestHead.parsed("\(head)Transfer-Encoding: chunked\r\n\r\n")
        let digests = RequestDigests(of: request)
        #expect(digests.fields.map(\.field) == checked)
        #expect(digests.announced == announced)
        // The same fields as a trailer of the same request are judged alike.
        #expect(digests.fields(ofTrailer: request.fields).map(\.field) == checked)
        #expect(digests.fields(ofTrailer: nil).isEmpty)
    }

    @Test func aRequestWithoutABodyPromisesNothing() throws {
        let request = try RequestHead.parsed("PUT / HTTP/1.1\r\nHost: a\r\n\(Self.all)\r\n")
        #expect(RequestDigests(of: request).fields.isEmpty)
    }
}
