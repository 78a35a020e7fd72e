import Inspection
import Testing

@Suite struct CounterfactualTests {
    /// A filename that only strict blocks, and another such in the second part.
    static let odd = """
        --X\r
        Content-Disposition: form-data; name="a"; filename="\u{202E}x"\r
        \r
        hello\r
        --X\r
        Content-Disposition: form-data; name="b"; filename="\u{202E}y"\r
        \r
        hello\r
        --X--\r

        """

    static let offset = 57

    @Test(arguments: [1, 7, 1 << 20])
    func strictIsToldWhereBalancedPasses(pieces: Int) {
        for mode in [Mode.enforce, .observe] {
            let upload = Upload(body: Self.odd, policy: InspectionPolicy(mode: mode))
            let inspector = upload.inspect(pieces: pieces)
            #expect(inspector.firstBlock == nil)
            #expect(inspector.firstStrictBlock?.code == "filename.bidi")
            #expect(inspector.firstStrictBlock?.offset == Self.offset)
            #expect(inspector.firstStrictBlock?.part == 0)
        }
    }

    @Test func nothingIsToldWhereStrictAgrees() throws {
        var upload = Upload(body: Self.odd)
        upload.policy.profile = .strict
        #expect(upload.inspect().firstBlock?.offset == Self.offset)
        #expect(upload.inspect().firstStrictBlock == nil)
        upload.policy = InspectionPolicy()
        try upload.policy.findings.set(.notice, of: "filename.bidi")
        #expect(upload.inspect().firstStrictBlock == nil)
        upload = Upload(body: String(Self.odd.dropLast(5)))
        #expect(upload.inspect().firstBlock?.code == "final_delimiter.missing")
        #expect(upload.inspect().firstStrictBlock == nil)
        upload = Upload(body: Self.odd, policy: InspectionPolicy(mode: .off))
        #expect(upload.inspect().firstStrictBlock == nil)
    }
}
