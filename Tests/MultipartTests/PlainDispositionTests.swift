import Multipart
import TestSupport
import Testing

/// The spelling of a Content-Disposition that is read in one step says what any other spelling of
/// the same says.
@Suite struct PlainDispositionTests {
    static let pieces = [
        "a", "f.txt", "\"", "\\", "\\\"", "'", "/", "?", "=?", "?=", "?b?", ";", "; filename=\"",
        " ", "\t", "\u{C3}\u{A9}", "\u{E2}\u{80}\u{AE}", "\u{FF}", "\u{7F}", "*", "%41", "~", "_",
        "_charset_", "_CHARSET_", "12345678", "|", ":", "\u{1}",
    ]

    static var limits: MultipartLimits {
        var limits = MultipartLimits()
        limits.nameBytes = 9
        limits.filenameBytes = 8
        return limits
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func isReadLikeOthers(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<5_000 {
            var rest = "name=\"\(Self.text(&random))\""
            if Bool.random(using: &random) { rest += "; filename=\"\(Self.text(&random))\"" }
            #expect(
                try said(of: "form-data; " + rest) == said(of: "Form-data; " + rest),
                "\(rest)"
            )
        }
    }

    @Test func aTypeThatWasReadBeforeIsReadAgain() throws {
        let types = ["a/b", "a/b", "a/c", "a/b; charset=utf-8", "a/b", "a/\u{FF}", "a/\u{FF}"]
        let body = types.map { "\r\n--b0Und\r\nContent-Type: \($0)\r\n\r\n" }.joined()
        let read: [String?] = try events(of: [Marked(body).bytes[...]]).compactMap {
            if case .part(let part) = $0 { part.contentType } else { nil }
        }
        #expect(read == types.map { $0.replacing("\u{FF}", with: "\u{FFFD}") })
    }

    private static func text(_ random: inout SplitMix64) -> String {
        (0..<Int.random(in: 0...3, using: &random)).map { _ in
            pieces[Int.random(in: pieces.indices, using: &random)]
        }.joined()
    }

    /// Names and facts, without the fields as they were sent.
    private func said(of value: String) throws -> [Event] {
        let body = Marked("--b0Und\r\nContent-Disposition: \(value)\r\n\r\nx").bytes
        return try events(of: [body[...]], limits: Self.limits).map { event in
            guard case .part(var part) = event else { return event }
            part.fields = []
            return .part(part)
        }
    }
}
