import HTTP1
import Testing
import Wire

@Suite struct HTTPReasonTests {
    @Test func codesAreUniqueAndWellFormed() {
        let codes = HTTPReason.allCases.map(\.rawValue)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.hasPrefix("http."))
            #expect(
                code.dropFirst(5).allSatisfy { $0.isLowercase || $0.isNumber || $0 == "_" }
            )
        }
    }

    @Test func explanationsAreSentencesOfTheirOwn() {
        let sentences = HTTPReason.allCases.map(\.explanation)
        #expect(Set(sentences).count == sentences.count)
        for reason in HTTPReason.allCases {
            #expect(reason.explanation.hasSuffix("."))
            #expect(reason.reference.hasPrefix("RFC "))
            #expect((400...505).contains(reason.status))
        }
    }

    @Test func everyReasonIsReachedByARow() {
        var reached = Set(
            (RequestFaultTests.rows + RequestFaultTests.limitRows + ResponseHeadTests.faults
                + ResponseHeadTests.limitFaults).map(\.fault.reason)
        )
        let bodies =
            BodyDecoderTests.chunkRows + BodyDecoderTests.extensionRows
            + BodyDecoderTests.trailerRows + BodyDecoderTests.limitRows
        reached.formUnion(bodies.compactMap(\.expected.fault?.reason))
        // These two have tests of their own: `formsOfTheTarget` and `onlyAWholeBodyMayFinish`.
        reached.formUnion([.connectRefused, .bodyTruncated])
        #expect(Set(HTTPReason.allCases).subtracting(reached).isEmpty)
    }

    @Test(arguments: [
        (HTTPReason.requestLineTooLong, 414), (.headTooLarge, 431), (.versionUnsupported, 505),
        (.transferEncodingUnknown, 501), (.expectationUnknown, 417), (.hostMissing, 400),
    ])
    func statusOfTheAnswer(_ reason: HTTPReason, _ status: Int) {
        #expect(reason.status == status)
    }
}
