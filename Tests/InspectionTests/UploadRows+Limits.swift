import Inspection

extension UploadRow {
    /// Limits; each offset is that of the first byte beyond it.
    static let limits = [
        UploadRow(
            "body larger than declared to be allowed",
            types: ["text/plain"],
            framings: [.declared],
            "■abc▲def",
            code: "limit.body"
        ) { $0.limits.bodyBytes = 3 },
        UploadRow(
            "body as large as allowed",
            types: ["text/plain"],
            "abc",
            [Part.whole("text/plain", "abc")]
        ) { $0.limits.bodyBytes = 3 },
        UploadRow(
            "too many parts",
            "--b\r\n\(field("a"))x\r\n--b\r\n■▲\(field("b"))y\r\n--b--",
            code: "limit.parts",
            part: 1,
            [.complete("a", "x"), .rejected("b", "")]
        ) { $0.limits.parts = 1 },
        UploadRow(
            "too many files",
            "--b\r\n\(field("a"))x\r\n--b\r\n■▲"
                + "Content-Disposition: form-data; name=b; filename=c\r\n\r\ny\r\n--b--",
            code: "limit.files",
            part: 1,
            [.complete("a", "x"), .rejected("b", "", filename: "c")]
        ) { $0.limits.files = 0 },
        UploadRow(
            "part as large as allowed",
            "--b\r\n\(field("a"))123\r\n--b--",
            [.complete("a", "123")]
        ) { $0.limits.partBytes = 3 },
        UploadRow(
            "non-file bytes as many as allowed; a file does not count",
            "--b\r\n\(field("a"))12\r\n--b\r\n\(file("f", "g"))123456\r\n--b\r\n\(field("c"))3\r\n"
                + "--b--",
            [
                .complete("a", "12"),
                .complete("f", "123456", filename: "g", contentType: "text/plain"),
                .complete("c", "3"),
            ]
        ) { $0.limits.nonFileBytes = 3 },
        UploadRow(
            "name too long",
            "■--b\r\nContent-Disposition: form-data; name=\"abc▲d\"\r\n\r\n",
            code: "name.too_long",
            part: 0
        ) { $0.limits.nameBytes = 3 },
        UploadRow(
            "filename too long",
            "■--b\r\nContent-Disposition: form-data; name=a; filename=\"abc▲d\"\r\n\r\n",
            code: "filename.too_long",
            part: 0
        ) { $0.limits.filenameBytes = 3 },
    ]

    /// Limits that are met in the middle of a run of content, or of the body.
    static let limitsWithinContent = [
        UploadRow(
            "chunked body larger than allowed",
            types: ["text/plain"],
            framings: [.chunked],
            "abc■▲def",
            code: "limit.body",
            part: 0,
            [Part.whole("text/plain", "abc", state: .rejected)]
        ) { $0.limits.bodyBytes = 3 },
        UploadRow(
            "part too large",
            "--b\r\n\(field("a"))123■▲456\r\n--b--",
            code: "limit.part_size",
            part: 0,
            [.rejected("a", "123")]
        ) { $0.limits.partBytes = 3 },
        UploadRow(
            "body too large for a part",
            types: ["text/plain"],
            "123■▲456",
            code: "limit.part_size",
            part: 0,
            [Part.whole("text/plain", "123", state: .rejected)]
        ) { $0.limits.partBytes = 3 },
        UploadRow(
            "too many non-file bytes",
            "--b\r\n\(field("a"))12\r\n--b\r\n\(field("c"))3■▲45\r\n--b--",
            code: "limit.non_file_bytes",
            part: 1,
            [.complete("a", "12"), .rejected("c", "3")]
        ) { $0.limits.nonFileBytes = 3 },
    ]
}
