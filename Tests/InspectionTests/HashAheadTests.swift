import Inspection
import TestSupport
import Testing
import Wire

/// What is hashed ahead, of two bodies at once, changes nothing that is found or reported.
@Suite struct HashAheadTests {
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func bodiesAreReportedAsIfAlone(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var policy = InspectionPolicy()
        // Some limits are met in the middle of a part.
        if seed % 3 == 0 { policy.limits.partBytes = Int.random(in: 1...200_000, using: &random) }
        if seed % 4 == 0 { policy.limits.bodyBytes = Int.random(in: 1...300_000, using: &random) }
        if seed % 5 == 0 { policy.deniedTypes = ["text/html"] }
        let types = [
            "multipart/form-data; boundary=X",
            seed % 2 == 0 ? "application/x-tar" : "multipart/form-data; boundary=X",
        ]
        let bodies = types.map { _ in Self.body(&random) }
        let alone = zip(types, bodies).map { type, body in
            let inspection = Inspection(type, policy)
            for piece in Self.pieces(of: body, &random) { inspection.consume(piece) }
            return inspection.end()
        }
        let together = types.map { Inspection($0, policy) }
        var left = bodies.map { Self.pieces(of: $0, &random)[...] }
        var pairs = 0
        while left.contains(where: { !$0.isEmpty }) {
            let next = left.map(\.first)
            if let piece = next[0], let other = next[1], pairs == 0 || Bool.random(using: &random) {
                UploadInspector.hashAhead(
                    &together[0].inspector,
                    of: piece.span,
                    &together[1].inspector,
                    of: other.span
                )
                pairs += 1
            }
            for index in 0...1 {
                if let piece = left[index].popFirst() { together[index].consume(piece) }
            }
        }
        #expect(pairs > 0)
        #expect(together.map { $0.end() } == alone)
    }

    /// Parts of all sizes, with what nearly is a delimiter in them.
    private static func body(_ random: inout SplitMix64) -> [UInt8] {
        var body: [UInt8] = []
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            body += Array(
                "\r\n--X\r\nContent-Disposition: form-data; name=a; filename=b\r\n\r\n".utf8
            )
            if Int.random(in: 0...3, using: &random) == 0 { body += Array("<html>".utf8) }
            var content = (0..<Int.random(in: 0...150_000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for _ in 0..<Int.random(in: 0...3, using: &random) where content.count > 8 {
                let place = Int.random(in: 0...content.count - 8, using: &random)
                content.replaceSubrange(place..<place + 5, with: Array("\r\n--Y".utf8))
            }
            body += content
        }
        return body + Array("\r\n--X--\r\n".utf8)
    }

    private static func pieces(
        of body: [UInt8],
        _ random: inout SplitMix64
    ) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        while start < body.count {
            let end = min(body.count, start + Int.random(in: 1...40_000, using: &random))
            pieces.append(body[start..<end])
            start = end
        }
        return pieces
    }

    private final class Inspection {
        var inspector: UploadInspector
        var parts: [PartReport] = []

        init(_ type: String, _ policy: InspectionPolicy) {
            inspector = UploadInspector([type], policy: policy)
        }

        func consume(_ piece: ArraySlice<UInt8>) {
            guard inspector.refusal == nil else { return }
            inspector.consume(piece.span)
            parts += inspector.takeClosedParts()
        }

        func end() -> Facts {
            if inspector.refusal == nil { inspector.finish() }
            parts += inspector.takeClosedParts(everything: true)
            return Facts(
                findings: inspector.findings,
                // How much of them is committed depends on the cut.
                parts: parts.map { Part(digests: $0.digests, state: $0.state, end: $0.endOffset) },
                released: inspector.releasedOffset > 0
            )
        }
    }

    private struct Facts: Equatable {
        var findings: [Finding]
        var parts: [Part]
        var released: Bool
    }

    private struct Part: Equatable {
        var digests: [PartDigest]
        var state: PartReport.State
        var end: Int
    }
}
