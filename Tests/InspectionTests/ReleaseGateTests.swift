import Inspection
import TestSupport
import Testing

/// The gates against their specification, and the promise that what is withheld is bounded.
@Suite struct ReleaseGateTests {
    private static func inspector(
        _ naive: NaiveGate,
        policy: InspectionPolicy = InspectionPolicy()
    ) -> UploadInspector {
        let boundary = String(decoding: naive.boundary, as: UTF8.self)
        return UploadInspector(
            ["multipart/form-data; boundary=\(boundary)"],
            declaredLength: naive.declaredLength,
            policy: policy.with { $0.limits.holdBytes = naive.holdBytes }
        )
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func everyByteIsReleasedWhenTheSpecificationSaysSo(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<40 {
            let naive = NaiveGate.random(using: &random)
            var single = Self.inspector(naive)
            for count in 1...naive.body.count {
                single.consume(naive.body[count - 1..<count])
                guard single.releasedOffset == naive.released(after: count) else {
                    Issue.record(
                        """
                        seed \(seed), round \(round): \(single.releasedOffset) released after \
                        \(count), not \(naive.released(after: count)): \(naive)
                        """
                    )
                    return
                }
            }
            single.finish()
            #expect(single.refusal == nil)
            #expect(single.releasedOffset == naive.body.count)
        }
    }

    @Test(arguments: 11...14 as ClosedRange<UInt64>)
    func aCutMayDelayButNeverHasten(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<100 {
            let naive = NaiveGate.random(using: &random)
            var inspector = Self.inspector(naive)
            var rest = naive.body[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...60, using: &random))
                rest = rest.dropFirst(piece.count)
                inspector.consume(piece)
                #expect(
                    inspector.releasedOffset == naive.released(after: rest.startIndex),
                    "seed \(seed), round \(round), after \(rest.startIndex)"
                )
            }
            inspector.finish()
            #expect(inspector.releasedOffset == naive.body.count)
        }
    }

    /// Header blocks, delimiters and parts as large as the policy allows, in bodies with defects too.
    @Test(arguments: 21...26 as ClosedRange<UInt64>)
    func neverMoreIsWithheldThanABufferHasRoomFor(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for round in 0..<60 {
            let boundary = String(
                repeating: "b",
                count: Int.random(in: 1...70, using: &random)
            )
            let policy = InspectionPolicy.with {
                $0.profile = .balanced
                $0.limits.holdBytes = Int.random(in: 0...600, using: &random)
                $0.limits.partHeaderBytes = Int.random(in: 60...500, using: &random)
                $0.limits.boundaryBytes = Int.random(in: boundary.utf8.count...80, using: &random)
            }
            let body = Self.body(boundary: boundary, using: &random)
            let bound = UploadInspector.mostWithheld(under: policy)
            var inspector = UploadInspector(
                ["multipart/form-data; boundary=\(boundary)"],
                declaredLength: Bool.random(using: &random) ? body.count : nil,
                policy: policy
            )
            for index in body.indices where inspector.refusal == nil {
                inspector.consume(body[index...index])
                let withheld = inspector.receivedOffset - inspector.releasedOffset
                guard inspector.refusal != nil || withheld <= bound else {
                    Issue.record(
                        "seed \(seed), round \(round): \(withheld) of \(bound) at \(index)"
                    )
                    return
                }
            }
        }
    }

    private static func body(boundary: String, using random: inout SplitMix64) -> [UInt8] {
        var text = ""
        for index in 0..<Int.random(in: 1...6, using: &random) {
            let filler = String(repeating: "y", count: Int.random(in: 0...430, using: &random))
            let content = String(repeating: "z", count: Int.random(in: 0...700, using: &random))
            text += "\(index == 0 ? "" : "\r\n")--\(boundary)\r\nX: \(filler)\r\n"
            text += UploadRow.field("\(index)") + content
        }
        text += "\r\n--\(boundary)--\r\n\r\n"
        var bytes = Array(text.utf8)
        // A defect in every other body, so that what is withheld of a refused one is tried too.
        if Bool.random(using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = 0
        }
        return bytes
    }

    /// What the operator lets pass may be longer than all that is withheld: it must not stand still.
    @Test(arguments: ["preamble", "padding", "epilogue", "padding within", "epilogue within"])
    func whatIsLetPassIsNeverStuck(_ place: String) throws {
        var policy = InspectionPolicy.with {
            $0.nestedDepth = 1
            $0.deniedTypes = ["text/html"]
            $0.limits.holdBytes = 40
            $0.limits.partHeaderBytes = 200
            $0.limits.partHeaderLineBytes = 300
        }
        for code in ["preamble.present", "epilogue.present", "delimiter.padding"] {
            try policy.findings.set(.warn, of: code)
        }
        let long = String(repeating: "e", count: 5000)
        let padding = String(repeating: " ", count: 299)
        let inner =
            "--c\(place == "padding within" ? padding : "")\r\nA: b\r\n\r\nv\r\n"
            + "--c\(place == "padding within" ? padding : "")--"
            + (place == "epilogue within" ? "\r\n\(long)" : "")
        let body =
            (place == "preamble" ? "\(long)\r\n" : "")
            + "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n"
            + "Content-Type: multipart/mixed; boundary=c\r\n\r\n\(inner)\r\n"
            + "--b\(place.hasPrefix("padding") ? padding : "")--"
            + (place == "epilogue" ? "\r\n\(long)" : "")
        let bytes = Array(body.utf8)
        let bound = UploadInspector.mostWithheld(under: policy)
        var inspector = UploadInspector(["multipart/form-data; boundary=b"], policy: policy)
        var most = 0
        for index in bytes.indices {
            inspector.consume(bytes[index...index])
            most = max(most, inspector.receivedOffset - inspector.releasedOffset)
        }
        inspector.finish()
        #expect(inspector.firstBlock == nil, "\(inspector.findings)")
        #expect(most <= bound)
    }

    @Test func theDefaultsFitABufferOfAQuarterMebibyte() {
        let most = UploadInspector.mostWithheld(under: InspectionPolicy())
        #expect(most >= InspectionLimits().holdBytes + InspectionLimits().partHeaderBytes)
        #expect(most < 128 << 10)
    }

    @Test(arguments: [Int.max, Int.max - 1, Int.max - (16 << 10)])
    func anAbsurdHoldNeverTraps(hold: Int) {
        let most = UploadInspector.mostWithheld(under: .with { $0.limits.holdBytes = hold })
        #expect(most >= hold)
    }
}
