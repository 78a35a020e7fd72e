import Inspection
import TestSupport
import Testing

/// Whatever lies within parts, and wherever it is refused, the cut changes nothing: the findings,
/// the verdict, and every field of every part, the parts around included.
@Suite struct NestedCutTests {
    /// A form whose first part, a file, is multipart with `inner` as its content.
    private static func outer(_ inner: String, type: String = "mixed; boundary=Y") -> String {
        "--X\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n"
            + "Content-Type: multipart/\(type)\r\n\r\n\(inner)\r\n"
            + "--X\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nlast\r\n--X--\r\n"
    }

    private static func padded(_ text: String, to count: Int) -> String {
        text + String(repeating: " ", count: count - text.utf8.count)
    }

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let body: String
        var code: String?
        var part: Int?

        /// Indices and states of the parts, in the order in which they close.
        var parts: [(Int, PartReport.State)] = []
        var limit = 128
    }

    static let rows: [Row] = [
        Row(
            testDescription: "nothing is wrong",
            body: outer("--Y\r\nA: b\r\n\r\nx\r\n--Y--"),
            parts: [(1, .complete), (0, .complete), (2, .complete)]
        ),
        Row(
            testDescription: "a small file of a denied type",
            body: outer("--Y\r\nA: b\r\n\r\n<html>\r\n--Y\r\n\r\ny\r\n--Y--"),
            code: "type.denied",
            part: 1,
            parts: [(1, .rejected), (0, .rejected)]
        ),
        Row(
            testDescription: "a large file of a denied type",
            body: outer(
                "--Y\r\n\r\n\(padded("x", to: 520))\r\n"
                    + "--Y\r\nA: b\r\n\r\n\(padded("<html>", to: 520))\r\n--Y--"
            ),
            code: "type.denied",
            part: 2,
            parts: [(1, .complete), (2, .rejected), (0, .rejected)]
        ),
        Row(
            testDescription: "a fault where the type of the file around is about to be known",
            body: outer("--Y\r\nA: b\r\n\r\n\(padded("x", to: 490))\r\n--Yz and more, and more"),
            code: "delimiter.trailing_bytes",
            part: 1,
            parts: [(1, .truncated), (0, .rejected)]
        ),
        Row(
            testDescription: "an open part at a fault",
            body: outer("--Y\r\nA: b\r\n\r\nhello\r\n--Yz"),
            code: "delimiter.trailing_bytes",
            part: 1,
            parts: [(1, .truncated), (0, .rejected)]
        ),
        Row(
            testDescription: "a bad header block behind a part",
            body: outer("--Y\r\nA: b\r\n\r\nhello\r\n--Y\r\nA: \u{0}\r\n\r\nx\r\n--Y--"),
            code: "part_header.nul",
            part: 2,
            parts: [(1, .complete), (0, .rejected)]
        ),
        Row(
            testDescription: "more parts than may be",
            body: outer("--Y\r\n\r\n1\r\n--Y\r\n\r\n2\r\n--Y\r\n\r\n3\r\n--Y--"),
            code: "limit.parts",
            part: 3,
            parts: [(1, .complete), (2, .complete), (3, .rejected), (0, .rejected)],
            limit: 3
        ),
        Row(
            testDescription: "two levels down",
            body: outer(
                "--Y\r\n\(NestedTests.nest("--Z\r\nContent-MD5: \(md5)\r\n\r\ndeep\r\n--Z--", boundary: "Z"))\r\n--Y--"
            ),
            code: "digest.mismatch",
            part: 2,
            parts: [(2, .rejected), (1, .rejected), (0, .rejected)]
        ),
        Row(
            testDescription: "two levels down, where the delimiter around was about to come",
            body: outer(
                "--YZ\r\n\(NestedTests.nest("--Y\r\n\r\nhello\r\n--Y-x more", boundary: "Y"))\r\n--YZ--",
                type: "mixed; boundary=YZ"
            ),
            code: "delimiter.trailing_bytes",
            part: 2,
            parts: [(2, .truncated), (1, .rejected), (0, .rejected)]
        ),
        Row(
            testDescription: "the end of the part around comes first",
            body: outer("--Y\r\nA: b\r\n\r\nhello"),
            code: "final_delimiter.missing",
            part: 1,
            parts: [(1, .truncated), (0, .rejected)]
        ),
    ]

    private static let md5 = "AAAAAAAAAAAAAAAAAAAAAA=="

    private static func outcome(
        _ row: Row,
        _ pieces: [ArraySlice<UInt8>],
        _ mode: Mode
    ) -> InspectionOutcome {
        InspectionOutcome(
            of: pieces,
            contentTypes: ["multipart/form-data; boundary=X"],
            declaredLength: nil,
            policy: .with {
                $0.mode = mode
                $0.nestedDepth = 3
                $0.deniedTypes = ["text/html"]
                $0.limits.holdBytes = 0
                $0.limits.parts = row.limit
            }
        )
    }

    @Test(arguments: rows)
    func itIsJudgedAsExpected(_ row: Row) {
        let body = Array(row.body.utf8)
        let facts = Self.outcome(row, [body[...]], .enforce).facts
        #expect(facts.firstBlock?.code == row.code)
        #expect(facts.firstBlock?.part == row.part)
        #expect(facts.parts.map(\.index) == row.parts.map(\.0))
        #expect(facts.parts.map(\.state) == row.parts.map(\.1))
        for part in facts.parts {
            let content = body[part.contentOffset..<part.endOffset]
            #expect(part.digests.map(\.hexadecimal) == [referenceSHA256(content)])
            #expect((part.sniffedType == nil) == (part.kind == .field || content.isEmpty))
        }
    }

    /// A part that is refused in the middle is recorded as far as it was read.
    @Test func whatWasReadIsRecorded() {
        let body = Array(Self.outer("--Y\r\nA: b\r\n\r\nhello\r\n--Yz and more").utf8)
        let parts = Self.outcome(Self.rows[0], [body[...]], .enforce).facts.parts
        let contents = parts.map {
            String(decoding: body[$0.contentOffset..<$0.endOffset], as: UTF8.self)
        }
        #expect(contents == ["hello", "--Y\r\nA: b\r\n\r\nhello\r\n--Yz"])
    }

    @Test(arguments: rows, [Mode.enforce, .observe])
    func everyCutGivesTheSameFacts(_ row: Row, _ mode: Mode) {
        let body = Array(row.body.utf8)
        let single = Self.outcome(row, body.indices.map { body[$0...$0] }, mode)
        for cut in cuts(of: body) {
            let outcome = Self.outcome(row, cut, mode)
            guard outcome.facts.ignoringCommitment == single.facts.ignoringCommitment else {
                Issue.record("cut \(cut.map(\.count)): \(outcome.facts) and not \(single.facts)")
                return
            }
            #expect(outcome.released <= single.released)
        }
    }
}
