import Inspection
import Testing

@Suite struct SeverityOverridesTests {
    static let good = """
        --X\r
        Content-Disposition: form-data; name="a"; filename="a/b"\r
        \r
        hello\r
        --X--\r

        """

    static func policy(_ code: String, _ severity: Severity) throws -> InspectionPolicy {
        var policy = InspectionPolicy()
        try policy.findings.set(severity, of: code)
        return policy
    }

    @Test func aLoweredCodePasses() throws {
        var upload = Upload(body: "text\r\n" + Self.good)
        #expect(upload.inspect().firstBlock?.code == "preamble.present")
        #expect(upload.inspect().releasedOffset == 0)
        upload.policy = try Self.policy("preamble.present", .warn)
        let inspector = upload.inspect()
        #expect(inspector.firstBlock == nil)
        #expect(inspector.releasedOffset == upload.body.utf8.count)
        #expect(upload.found == ["preamble.present=warn", "filename.path=notice"])
    }

    @Test func aRaisedCodeBlocks() throws {
        var upload = Upload(body: Self.good)
        #expect(upload.inspect().firstBlock == nil)
        upload.policy = try Self.policy("filename.path", .block)
        #expect(upload.inspect().firstBlock?.code == "filename.path")
        #expect(upload.inspect().releasedOffset == 0)
    }

    @Test func limitsAndTypesCanBeLowered() throws {
        var upload = Upload(body: Self.good)
        upload.policy = try Self.policy("limit.part_size", .warn)
        upload.policy.limits.partBytes = 2
        #expect(upload.inspect().firstBlock == nil)
        #expect(upload.found == ["filename.path=notice", "limit.part_size=warn"])
        upload.policy = try Self.policy("content_type.denied", .notice)
        upload.policy.contentTypes = ["image/png"]
        #expect(upload.inspect().firstBlock == nil)
    }

    @Test func whatLeavesNoReadingCannotBeLowered() {
        var refused: [String] = []
        for code in SeverityOverrides.knownCodes {
            var overrides = SeverityOverrides()
            do {
                try overrides.set(.warn, of: code)
            } catch .leavesNoReading {
                refused.append(code)
            } catch {
                Issue.record("\(code): \(error)")
            }
        }
        #expect(
            refused == [
                "boundary.missing", "boundary.empty", "boundary.too_long",
                "boundary.invalid_character", "boundary.trailing_space",
                "delimiter.missing_first", "delimiter.trailing_bytes", "final_delimiter.missing",
                "part_header.line_too_long", "part_header.block_too_large",
                "part_header.too_many",
            ]
        )
    }

    @Test func codesOfOtherLayersAreUnknown() {
        var overrides = SeverityOverrides()
        #expect(throws: SeverityOverrides.Refusal.unknownCode) {
            try overrides.set(.block, of: "http.host_missing")
        }
    }
}
