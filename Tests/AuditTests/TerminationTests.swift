import Audit
import Testing

@Suite struct TerminationTests {
    @Test func codesAreTwoLettersAndUnique() {
        var codes: Set<String> = []
        for party in Termination.Party.allCases {
            for phase in Termination.Phase.allCases {
                let code = Termination(by: party, in: phase).code
                #expect(code.utf8.count == 2)
                codes.insert(code)
            }
        }
        #expect(codes.count == 49)
    }

    @Test func lettersAreThoseOfTheDesign() {
        #expect(Termination(by: .client, in: .body).code == "CD")
        #expect(Termination(by: .upstreamTimeout, in: .responseHead).code == "sH")
        #expect(Termination(by: .shutdown, in: .responseBody).code == "KL")
        #expect(Termination(by: .clientTimeout, in: .requestHead).code == "cR")
        #expect(Termination(by: .upstream, in: .connecting).code == "SC")
        #expect(Termination(by: .weir, in: .waiting).code == "PQ")
        #expect(Termination.normal.code == "--")
    }
}
