/// What ModSecurity calls a finding, so that rules and dashboards made for it carry over.
///
/// The names are variables of its reference manual. One flag each stands for an oddity that its
/// multipart parser reads past; `MULTIPART_STRICT_ERROR` stands here for a boundary or delimiter
/// it gives up on, `REQBODY_ERROR` for any other body it cannot read. Where it sees nothing
/// wrong, there is no alias.
package enum ModSecurityAlias {
    /// The alias of a finding's code, or nil.
    package static func alias(of code: String) -> String? { aliases[code] }

    private static let aliases = [
        "boundary.missing": "MULTIPART_STRICT_ERROR",
        "boundary.empty": "MULTIPART_STRICT_ERROR",
        "boundary.too_long": "MULTIPART_STRICT_ERROR",
        "boundary.invalid_character": "MULTIPART_STRICT_ERROR",
        "boundary.invalid_quoting": "MULTIPART_STRICT_ERROR",
        "boundary.trailing_space": "MULTIPART_STRICT_ERROR",
        "boundary.ambiguous_parameter": "MULTIPART_STRICT_ERROR",
        "boundary.duplicate_parameter": "MULTIPART_STRICT_ERROR",
        "boundary.continuation_parameter": "MULTIPART_STRICT_ERROR",
        "boundary.quoted": "MULTIPART_BOUNDARY_QUOTED",
        "boundary.parameter_whitespace": "MULTIPART_BOUNDARY_WHITESPACE",
        "boundary.near_miss": "MULTIPART_UNMATCHED_BOUNDARY",

        "content_type.invalid": "MULTIPART_STRICT_ERROR",
        "content_type.missing_semicolon": "MULTIPART_MISSING_SEMICOLON",

        "delimiter.missing_first": "REQBODY_ERROR",
        "delimiter.trailing_bytes": "MULTIPART_STRICT_ERROR",
        "delimiter.padding": "MULTIPART_STRICT_ERROR",
        "delimiter.bare_lf": "MULTIPART_LF_LINE",
        "delimiter.truncated": "REQBODY_ERROR",
        "final_delimiter.missing": "REQBODY_ERROR",

        "preamble.present": "MULTIPART_DATA_BEFORE",
        "epilogue.present": "MULTIPART_DATA_AFTER",

        "line.bare_lf": "MULTIPART_LF_LINE",

        "part_header.folded": "MULTIPART_HEADER_FOLDING",
        "part_header.invalid_folding": "MULTIPART_INVALID_HEADER_FOLDING",
        "part_header.no_colon": "REQBODY_ERROR",
        "part_header.bad_name": "REQBODY_ERROR",
        "part_header.nul": "REQBODY_ERROR",
        "part_header.duplicate": "REQBODY_ERROR",
        "part_header.line_too_long": "REQBODY_ERROR",
        "part_header.truncated": "REQBODY_ERROR",

        "disposition.missing": "REQBODY_ERROR",
        "disposition.not_form_data": "REQBODY_ERROR",
        "disposition.invalid": "REQBODY_ERROR",
        "disposition.missing_semicolon": "REQBODY_ERROR",
        "disposition.empty_parameter": "REQBODY_ERROR",
        "disposition.duplicate_parameter": "REQBODY_ERROR",
        "disposition.unknown_parameter": "REQBODY_ERROR",
        "disposition.invalid_quoting": "MULTIPART_INVALID_QUOTING",
        "disposition.name_missing": "MULTIPART_INVALID_PART",

        "part.bodyless": "MULTIPART_INVALID_PART",

        "limit.files": "MULTIPART_FILE_LIMIT_EXCEEDED",
        "limit.body": "INBOUND_DATA_ERROR",
    ]
}
