import Inspection

/// The table: well-formed and malformed uploads, with the gate that stops each of the latter.
///
/// ■ is where the release stops with `holdBytes` 0, when the body is fed byte by byte.
extension UploadRow {
    static let wellFormed = [
        UploadRow(
            "one field",
            "--b\r\n\(field("a"))value\r\n--b--\r\n",
            [.complete("a", "value")]
        ),
        UploadRow(
            "a field and a file",
            "--b\r\n\(field("a"))1\r\n--b\r\n\(file("f", "x.txt"))\r\ntext\r\n\r\n--b--",
            [
                .complete("a", "1"),
                .complete(
                    "f",
                    "\r\ntext\r\n",
                    filename: "x.txt",
                    contentType: "text/plain"
                ),
            ]
        ),
        UploadRow(
            "empty parts",
            "--b\r\n\(field("a"))\r\n--b\r\n\(field(""))\r\n--b--\r\n\r\n",
            [.complete("a", ""), .complete("", "")]
        ),
        UploadRow("no parts", "--b--\r\n"),
        UploadRow("CRLF in front", "\r\n--b\r\n\(field("a"))x\r\n--b--", [.complete("a", "x")]),
        UploadRow(
            "content like a delimiter",
            "--b\r\n\(field("a"))\r\r\n-\r\n--\r\n--c--b\n-b\r--\r\r\n--b--",
            [.complete("a", "\r\r\n-\r\n--\r\n--c--b\n-b\r--\r")]
        ),
        UploadRow(
            "boundary in quotes, letters in capitals",
            types: ["Multipart/FORM-Data; Boundary=\"b c\""],
            "--b c\r\n\(field("a"))x\r\n--b c--",
            [.complete("a", "x")]
        ),
        UploadRow(
            "oddities that do not block",
            "--b\r\n\(file("f", "a/\u{202E}b"))x\r\n--b--",
            [.complete("f", "x", filename: "a/\u{202E}b", contentType: "text/plain")],
            findings: ["filename.path", "filename.bidi"]
        ),
        UploadRow(
            "not multipart",
            types: ["text/plain"],
            "hello",
            [Part.whole("text/plain", "hello")]
        ),
        UploadRow("without a type", types: [], "--b\r\n", [Part.whole(nil, "--b\r\n")]),
        UploadRow("empty, not multipart", types: ["a/b"], "", [Part.whole("a/b", "")]),
        UploadRow(
            "a type that some take for multipart",
            types: ["application/x-Multipart; boundary=b"],
            "■▲hello",
            code: "content_type.invalid",
            []
        ),
        UploadRow(
            "two types, one of them multipart",
            types: ["text/plain, multipart/form-data; boundary=b"],
            "■▲hello",
            code: "content_type.invalid",
            []
        ),
        UploadRow(
            "the word in a parameter",
            types: ["text/plain; name=multipart/x"],
            "hello",
            [Part.whole("text/plain; name=multipart/x", "hello")]
        ),
        UploadRow(
            "another multipart type",
            types: ["multipart/mixed; boundary=b"],
            "--b\r\n\(field("a"))x\r\n--b--",
            [.complete("a", "x")],
            findings: ["content_type.not_multipart"]
        ),
    ]

    /// G0: nothing of the body matters any more.
    static let headGate = [
        UploadRow(
            "no boundary",
            types: ["multipart/form-data"],
            "▲■--b--",
            code: "boundary.missing"
        ),
        UploadRow(
            "boundary longer than the policy allows",
            types: ["multipart/form-data; boundary=bbbb"],
            "▲■--bbbb--",
            code: "boundary.too_long"
        ) { $0.limits.boundaryBytes = 3 },
        UploadRow(
            "two boundaries",
            types: ["multipart/form-data; boundary=b; boundary=c"],
            "▲■--b--",
            code: "boundary.duplicate_parameter"
        ),
        UploadRow(
            "two Content-Type fields",
            types: ["multipart/form-data; boundary=b", "multipart/form-data; boundary=b"],
            "▲■--b--",
            code: "content_type.duplicate_header"
        ),
        UploadRow("type not accepted", types: ["text/html"], "▲■x", code: "content_type.denied") {
            $0.contentTypes = ["multipart/form-data", "text/plain"]
        },
        UploadRow("no type, none accepted", types: [], "▲■x", code: "content_type.denied") {
            $0.contentTypes = ["text/plain"]
        },
        UploadRow(
            "type accepted",
            types: ["Text/Plain; charset=utf-8"],
            "x",
            [Part.whole("Text/Plain; charset=utf-8", "x")],
            findings: []
        ) { $0.contentTypes = ["text/plain"] },
    ]

    /// G1: until the first part's header has passed, the upstream sees nothing.
    static let firstPartGate = [
        UploadRow("empty body", "▲■", code: "delimiter.missing_first"),
        UploadRow("no delimiter", "▲■nothing", code: "preamble.present"),
        UploadRow("preamble", "▲■x\r\n--b--", code: "preamble.present"),
        UploadRow("wrong boundary", "▲■--c\r\n\(field("a"))x\r\n--c--", code: "preamble.present"),
        UploadRow("cut in the first delimiter", "■--b▲", code: "final_delimiter.missing"),
        UploadRow("bytes after the first delimiter", "■--b▲x", code: "delimiter.trailing_bytes"),
        UploadRow("padding", "■--b▲ \r\n", code: "delimiter.padding"),
        UploadRow("bare LF in the first line", "■--b▲\n", code: "line.bare_lf"),
        UploadRow("bare CR in the first line", "■--b▲\rx", code: "line.bare_cr"),
        UploadRow(
            "first part without a disposition",
            "■--b\r\n▲X: y\r\n\r\nvalue\r\n--b--",
            code: "disposition.missing",
            part: 0
        ),
        UploadRow(
            "first part without a header",
            "■--b\r\n▲\r\nvalue\r\n--b--",
            code: "disposition.missing",
            part: 0
        ),
        UploadRow(
            "control byte in the first header",
            "■--b\r\nX: ▲\u{1}\r\n",
            code: "part_header.control",
            part: 0
        ),
        UploadRow(
            "folded first header",
            "■--b\r\nContent-Disposition: form-data;\r\n▲ name=a\r\n\r\n\r\n--b--",
            code: "part_header.folded",
            part: 0
        ),
    ]

    /// G2: a header block leaves only whole, and only once it has passed.
    static let partHeaderGate = [
        UploadRow(
            "second part without a name",
            "--b\r\n\(field("a"))x\r\n--b\r\n■Content-Disposition: ▲form-data\r\n\r\ny\r\n--b--",
            code: "disposition.name_missing",
            part: 1,
            [.complete("a", "x")]
        ),
        UploadRow(
            "NUL in the second header",
            "--b\r\n\(field("a"))x\r\n--b\r\n■Content-Disposition: form-data\r\nX: ▲\0",
            code: "part_header.nul",
            part: 1,
            [.complete("a", "x")]
        ),
    ]

    /// G2 again: faults, not facts, in a header block, which cannot be read on.
    static let headerFaults = [
        UploadRow(
            "body ends in the second header",
            "--b\r\n\(field("a"))x\r\n--b\r\n■Content-Disposition▲",
            code: "final_delimiter.missing",
            part: 1,
            [.complete("a", "x")]
        ),
        UploadRow(
            "header line too long",
            "--b\r\n\(field("a"))x\r\n--b\r\n■X: \(String(repeating: "y", count: 57))▲y\r\n",
            code: "part_header.line_too_long",
            part: 1,
            [.complete("a", "x")]
        ) { $0.limits.partHeaderLineBytes = 60 },
        UploadRow(
            "header block too large",
            "--b\r\n\(field("a"))x\r\n--b\r\n■X: \(String(repeating: "y", count: 57))▲y\r\n",
            code: "part_header.block_too_large",
            part: 1,
            [.complete("a", "x")]
        ) { $0.limits.partHeaderBytes = 60 },
        UploadRow(
            "too many header lines",
            "--b\r\n\(field("a"))x\r\n--b\r\n■X: y\r\n▲Z: y\r\n",
            code: "part_header.too_many",
            part: 1,
            [.complete("a", "x")]
        ) { $0.limits.partHeaderFields = 1 },
    ]

    /// G3: a part no larger than `holdBytes` leaves only whole.
    static let smallPartGate = [
        UploadRow(
            "small part with a wrong end",
            "--b\r\n\(field("a"))12345678\r\n--b\r\n■\(field("b"))1234\r\n--b▲x",
            code: "delimiter.trailing_bytes",
            part: 1,
            [.complete("a", "12345678"), .truncated("b", "1234")]
        ) { $0.limits.holdBytes = 4 },
        UploadRow(
            "a part one byte too large to hold",
            "--b\r\n\(field("a"))12345678\r\n--b\r\n\(field("b"))12345■\r\n--b▲x",
            code: "delimiter.trailing_bytes",
            part: 1,
            [.complete("a", "12345678"), .truncated("b", "12345")]
        ) { $0.limits.holdBytes = 4 },
        UploadRow(
            "empty part with a wrong end",
            "--b\r\n■\(field("a"))\r\n--b▲x",
            code: "delimiter.trailing_bytes",
            part: 0,
            [.truncated("a", "")]
        ) { $0.limits.holdBytes = 0 },
    ]

    /// G4: the delimiter that ends a part leaves only once the part is accepted.
    static let partEndGate = [
        UploadRow(
            "delimiter after a bare LF",
            "--b\r\n\(field("a"))x■▲\n--b\r\n",
            code: "delimiter.bare_lf",
            part: 0,
            [.rejected("a", "x")]
        ),
        UploadRow(
            "delimiter after a bare CR",
            "--b\r\n\(field("a"))x■▲\r--b\r\n",
            code: "delimiter.bare_cr",
            part: 0,
            [.rejected("a", "x")]
        ),
        UploadRow(
            "longer delimiter",
            "--b\r\n\(field("a"))x■\r\n--b▲b\r\n",
            code: "delimiter.trailing_bytes",
            part: 0,
            [.truncated("a", "x")]
        ),
        UploadRow(
            "padding after a delimiter",
            "--b\r\n\(field("a"))x■\r\n--b▲\t\r\n",
            code: "delimiter.padding",
            part: 0,
            [.rejected("a", "x")]
        ),
        UploadRow(
            "part without a body",
            "--b\r\n■\(field("a"))▲--b--",
            code: "part.bodyless",
            part: 0,
            [.rejected("a", "")]
        ),
    ]

    /// G5: the close-delimiter leaves only once the message is accepted.
    static let messageEndGate = [
        UploadRow(
            "no close-delimiter",
            "--b\r\n\(field("a"))value■▲",
            code: "final_delimiter.missing",
            part: 0,
            [.truncated("a", "value")]
        ),
        UploadRow(
            "cut in the close-delimiter",
            "--b\r\n\(field("a"))value■\r\n--b-▲",
            code: "final_delimiter.missing",
            part: 0,
            [.truncated("a", "value")]
        ),
        UploadRow(
            "close-delimiter with one dash",
            "--b\r\n\(field("a"))value■\r\n--b-▲\r\n",
            code: "delimiter.trailing_bytes",
            part: 0,
            [.truncated("a", "value")]
        ),
        UploadRow(
            "epilogue",
            "--b\r\n\(field("a"))value■\r\n--b--▲more",
            code: "epilogue.present",
            [.complete("a", "value")]
        ),
        UploadRow(
            "part hidden in the epilogue",
            "--b\r\n\(field("a"))value■\r\n--b--\r\n▲--b\r\n\(field("c"))x\r\n--b--",
            code: "epilogue.present",
            [.complete("a", "value")]
        ),
        UploadRow(
            "bare LF after the close-delimiter",
            "--b\r\n\(field("a"))value■\r\n--b--▲\n",
            code: "line.bare_lf",
            [.complete("a", "value")]
        ),
        UploadRow(
            "close-delimiter without parts, and more",
            "■--b--▲x",
            code: "epilogue.present"
        ),
    ]

    static let all =
        wellFormed + headGate + firstPartGate + partHeaderGate + headerFaults + smallPartGate
        + partEndGate + messageEndGate + limits + limitsWithinContent
        + contracts + contractsWithinContent
}

extension UploadRow.Part {
    /// The one part that a body which is not multipart makes.
    static func whole(
        _ contentType: String?,
        _ content: String,
        state: PartReport.State = .complete
    ) -> Self {
        Self(state: state, contentType: contentType, content: content)
    }
}
