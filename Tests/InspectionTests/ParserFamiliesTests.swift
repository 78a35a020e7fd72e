import Inspection
import Testing

@Suite struct ParserFamiliesTests {
    @Test func aFindingSaysWhoReadsItDifferently() throws {
        let upload = Upload(body: "--X\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nhello")
        let block = upload.inspect().firstBlock
        let finding = try #require(block)
        #expect(
            finding.detail == "The body ended before its close-delimiter. Parsers differ: PHP and"
                + " Django take what came for a whole form, Go, Werkzeug and Busboy refuse."
        )
    }

    @Test func clausesFitIntoADetail() {
        for code in SeverityOverrides.knownCodes {
            guard let clause = ParserFamilies.clause(for: code) else { continue }
            #expect(clause.count <= 100 && clause.last != ".", "\(code)")
        }
        #expect(ParserFamilies.clause(for: "limit.body") == nil)
        #expect(ParserFamilies.clause(for: "http.bare_lf") == nil)
    }
}
