import Audit
import Testing

@Suite struct ResumableFieldsTests {
    private func fields(_ pairs: [(String, String)]) -> ResumableFields {
        var found = ResumableFields()
        for (name, value) in pairs { found.take(name, Array(value.utf8)[...]) }
        return found
    }

    @Test func numbersAndFlagsAreKept() throws {
        var record = Samples.request
        record.resumable = fields([
            ("upload-offset", "100"), ("upload-length", "0"), ("upload-complete", "?0"),
            ("upload-defer-length", "1"), ("tus-resumable", "1.0.0"),
        ])
        let written = try RequestRecordTests.fields(of: record)
        #expect(written["upload.resumable.offset"] == 100)
        #expect(written["upload.resumable.length"] == 0)
        #expect(written["upload.resumable.complete"] == false)
        #expect(written["upload.resumable.defer_length"] == true)
        #expect(written["upload.resumable.tus_version"] == "1.0.0")
    }

    static let rubbish: [(String, String)] = [
        ("upload-offset", ""), ("upload-offset", "-1"), ("upload-offset", "1x"),
        ("upload-offset", "9223372036854775808"), ("upload-length", "٣"),
        ("upload-complete", "1"), ("upload-complete", "true"), ("upload-defer-length", "2"),
        ("tus-resumable", ""), ("tus-resumable", "<b>"), ("tus-resumable", "11111111111111111"),
        ("upload-metadata", "filename x"), ("x", "1"),
    ]

    @Test(arguments: rubbish)
    func whatIsNoNumberIsLeftOut(_ name: String, _ value: String) throws {
        let found = fields([(name, value)])
        #expect(found.isEmpty)
        var record = Samples.request
        record.resumable = found
        let written = try RequestRecordTests.fields(of: record)
        #expect(!written.keys.contains { $0.hasPrefix("upload.resumable") })
    }

    @Test func theLargestNumberIsKept() {
        let most = "999999999999999999"
        #expect(fields([("upload-length", most)]).length == 999_999_999_999_999_999)
    }
}
