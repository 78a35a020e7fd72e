import Inspection
import TestSupport
import Testing

/// When parts are handed out, what is said of them then, and what ends them.
@Suite struct PartReportTests {
    private static let type = ["multipart/form-data; boundary=b"]
    private static let first = "--b\r\n\(UploadRow.field("a"))12345"
    private static let second = "\r\n--b\r\n\(UploadRow.file("f", "x"))text"
    private static let end = "\r\n--b--\r\n"

    private static func bytes(_ text: String) -> ArraySlice<UInt8> { Array(text.utf8)[...] }

    @Test func aPartIsHandedOutOnceItIsReleased() {
        var inspector = UploadInspector(Self.type, policy: .open)
        inspector.consume(Self.bytes(Self.first))
        #expect(inspector.takeClosedParts().isEmpty)
        inspector.consume(Self.bytes(Self.second))
        let taken = inspector.takeClosedParts()
        #expect(taken.map(\.name) == ["a"])
        #expect(taken.map(\.isCommitted) == [true])
        #expect(inspector.takeClosedParts(everything: true).isEmpty)
        inspector.consume(Self.bytes(Self.end))
        #expect(inspector.takeClosedParts().map(\.isCommitted) == [true])
        inspector.finish()
        let isFinished = inspector.isFinished
        #expect(isFinished)
        #expect(inspector.takeClosedParts(everything: true).isEmpty)
    }

    @Test func aPartThatIsHeldWaits() {
        var inspector = UploadInspector(Self.type)
        inspector.consume(Self.bytes(Self.first + Self.second + Self.end))
        #expect(inspector.releasedOffset == 0)
        #expect(inspector.takeClosedParts().isEmpty)
        inspector.finish()
        let taken = inspector.takeClosedParts()
        #expect(taken.map(\.index) == [0, 1])
        #expect(taken.map(\.isCommitted) == [true, true])
    }

    @Test func whatIsTakenEarlyIsNotCommitted() {
        var inspector = UploadInspector(Self.type)
        inspector.consume(Self.bytes(Self.first + Self.second + Self.end))
        let taken = inspector.takeClosedParts(everything: true)
        #expect(taken.map(\.state) == [.complete, .complete])
        #expect(taken.map(\.isCommitted) == [false, false])
    }

    @Test func aReportSaysWhereThePartLies() throws {
        var inspector = UploadInspector(Self.type)
        inspector.consume(Self.bytes(Self.first + Self.second + Self.end))
        inspector.finish()
        let parts = inspector.takeClosedParts()
        var part = try #require(parts.last)
        #expect(part.sniffedType == "text/plain")
        part.sniffedType = nil
        let headOffset = "--b\r\n".utf8.count + Self.first.utf8.count + 2
        let contentOffset = (Self.first + Self.second).utf8.count - 4
        #expect(
            part
                == PartReport(
                    index: 1,
                    kind: .file,
                    state: .complete,
                    name: "f",
                    filename: "x",
                    contentType: "text/plain",
                    headerCount: 2,
                    headOffset: headOffset,
                    contentOffset: contentOffset,
                    endOffset: contentOffset + 4,
                    digests: [
                        PartDigest(
                            algorithm: "sha256",
                            hexadecimal: referenceSHA256("text".utf8)
                        )
                    ],
                    isCommitted: true
                )
        )
        #expect(inspector.fileCount == 1)
    }

    @Test func durationsAreMeasuredOnTheExchangesClock() {
        var inspector = UploadInspector(Self.type)
        inspector.consume(Self.bytes(Self.first), at: 1000)
        inspector.consume(Self.bytes(Self.second), at: 1500)
        // A clock that goes backwards is no reason to trap.
        inspector.consume(Self.bytes(Self.end), at: 900)
        inspector.finish(at: 950)
        #expect(inspector.takeClosedParts().map(\.durationNanoseconds) == [500, 0])
    }

    @Test func abortClosesTheOpenPart() {
        var inspector = UploadInspector(Self.type, policy: .open)
        inspector.consume(Self.bytes(Self.first + Self.second))
        inspector.abort()
        let taken = inspector.takeClosedParts(everything: true)
        #expect(taken.map(\.state) == [.complete, .aborted])
        #expect(taken.map(\.size) == [5, 4])
        #expect(taken.map(\.isCommitted) == [true, false])
        #expect(taken.last?.digests.first?.hexadecimal == referenceSHA256("text".utf8))
        #expect(inspector.firstBlock == nil)
        let isFinished = inspector.isFinished
        #expect(!isFinished)
        inspector.abort()
        #expect(inspector.takeClosedParts(everything: true).isEmpty)
    }

    @Test func abortBetweenPartsOrAfterTheEndChangesNothing() {
        var between = UploadInspector(Self.type, policy: .open)
        between.consume(Self.bytes(Self.first + "\r\n--b\r\n"))
        between.abort()
        #expect(between.takeClosedParts(everything: true).map(\.state) == [.complete])

        var after = UploadInspector(Self.type)
        after.consume(Self.bytes(Self.first + Self.end))
        after.finish()
        after.abort()
        #expect(after.takeClosedParts(everything: true).map(\.state) == [.complete])
        #expect(after.releasedOffset == after.receivedOffset)
    }

    /// A body that is not multipart is a part from the first moment on.
    @Test(arguments: [["text/plain"], []])
    func durationOfABodyThatIsNotMultipart(types: [String]) {
        var inspector = UploadInspector(types, declaredLength: 3, at: 1_000)
        inspector.consume(Self.bytes("abc"), at: 1_500)
        inspector.finish(at: 1_700)
        let taken = inspector.takeClosedParts(everything: true)
        #expect(taken.map(\.durationNanoseconds) == [700])
    }

    @Test(arguments: [Int?.none, 5])
    func aBodyThatIsTooLargeIsOneFinding(declaredLength: Int?) {
        var policy = InspectionPolicy()
        policy.mode = .observe
        policy.limits.bodyBytes = 3
        var inspector = UploadInspector(
            ["text/plain"],
            declaredLength: declaredLength,
            policy: policy
        )
        inspector.consume(Self.bytes("ab"))
        inspector.consume(Self.bytes("cde"))
        inspector.finish()
        #expect(inspector.findings.map(\.code) == ["limit.body"])
        #expect(inspector.findings.map(\.offset) == [3])
    }

    @Test func abortOfABodyThatIsNotMultipart() {
        var inspector = UploadInspector(["text/plain"], declaredLength: 10)
        inspector.consume(Self.bytes("abc"))
        inspector.abort()
        let taken = inspector.takeClosedParts(everything: true)
        #expect(taken.map(\.state) == [.aborted])
        #expect(taken.map(\.size) == [3])
        #expect(taken.map(\.kind) == [.file])
    }

    @Test func readingOnFindsEverything() {
        let body = "--b\r\nX: y\r\n\r\n1\n--b\r\n\(UploadRow.field("c"))2\r\n--b--"
        var stopping = UploadInspector(Self.type)
        stopping.consume(Self.bytes(body))
        #expect(stopping.findings.map(\.code) == ["disposition.missing"])
        #expect(stopping.partCount == 0)

        var continuing = UploadInspector(Self.type, continuesAfterBlock: true)
        continuing.consume(Self.bytes(body))
        continuing.finish()
        #expect(continuing.findings.map(\.code) == ["disposition.missing", "delimiter.bare_lf"])
        #expect(continuing.refusal == stopping.refusal)
        #expect(continuing.partCount == 2)
        #expect(continuing.takeClosedParts(everything: true).map(\.size) == [1, 1])
        // Reading on is not letting on.
        #expect(continuing.releasedOffset == 0)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func digestsOfRandomContent(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let contents = (0..<4).map { _ in
            (0..<Int.random(in: 0...5000, using: &random)).map { _ in
                UInt8.random(in: .min ... .max, using: &random)
            }
        }
        var body: [UInt8] = []
        for content in contents {
            body += Array("--b\r\n\(UploadRow.file("f", "x"))".utf8) + content + [13, 10]
        }
        body += Array("--b--".utf8)
        var inspector = UploadInspector(Self.type)
        var rest = body[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...900, using: &random))
            rest = rest.dropFirst(piece.count)
            inspector.consume(piece)
        }
        inspector.finish()
        #expect(inspector.firstBlock == nil)
        let digests = inspector.takeClosedParts().map { $0.digests.map(\.hexadecimal) }
        #expect(digests == contents.map { [referenceSHA256($0)] })
    }
}
