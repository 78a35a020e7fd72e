import Audit
import Testing

@Suite struct ModSecurityAliasTests {
    static let rows: [(code: String, alias: String?)] = [
        ("boundary.quoted", "MULTIPART_BOUNDARY_QUOTED"),
        ("boundary.parameter_whitespace", "MULTIPART_BOUNDARY_WHITESPACE"),
        ("boundary.near_miss", "MULTIPART_UNMATCHED_BOUNDARY"),
        ("boundary.duplicate_parameter", "MULTIPART_STRICT_ERROR"),
        ("content_type.missing_semicolon", "MULTIPART_MISSING_SEMICOLON"),
        ("preamble.present", "MULTIPART_DATA_BEFORE"),
        ("epilogue.present", "MULTIPART_DATA_AFTER"),
        ("line.bare_lf", "MULTIPART_LF_LINE"),
        ("delimiter.bare_lf", "MULTIPART_LF_LINE"),
        ("part_header.folded", "MULTIPART_HEADER_FOLDING"),
        ("disposition.invalid_quoting", "MULTIPART_INVALID_QUOTING"),
        ("disposition.name_missing", "MULTIPART_INVALID_PART"),
        ("limit.files", "MULTIPART_FILE_LIMIT_EXCEEDED"),
        ("final_delimiter.missing", "REQBODY_ERROR"),
        ("hash.denied", nil), ("contract.too_many", nil), ("", nil),
    ]

    @Test(arguments: rows)
    func findingsHaveModSecuritysName(_ row: (code: String, alias: String?)) {
        #expect(ModSecurityAlias.alias(of: row.code) == row.alias)
    }

    /// A limit that was hit is never called a missing or a wrong boundary.
    @Test(arguments: ["body", "parts", "files", "non_file_bytes", "part_size"])
    func limitsAreNotCalledBoundaries(_ limit: String) {
        let alias = ModSecurityAlias.alias(of: "limit.\(limit)") ?? ""
        #expect(!alias.contains("BOUNDARY") && !alias.contains("STRICT"))
    }
}
