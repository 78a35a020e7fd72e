import Inspection

extension UploadRow {
    /// A contract with one of everything.
    static var contract: UploadContract {
        var title = FieldRule("title", .field)
        title.isRequired = true
        title.minimumBytes = 1
        title.maximumBytes = 3
        var photo = FieldRule("photo", .file)
        photo.maximumCount = 2
        photo.maximumBytes = 4
        photo.extensions = ["txt", "tar.gz"]
        photo.contentTypes = ["text/plain", "image/*"]
        photo.filename.maximumBytes = 12
        photo.filename.characters = CharacterClass("a-z.")
        photo.filename.pattern = FilenamePattern("*.*")
        var page = FieldRule("page", .file)
        page.isRequired = false
        page.sniffedTypes = ["text/html"]
        var contract = UploadContract()
        contract.fields = [title, photo, page]
        return contract
    }

    /// Forms on a route with that contract.
    ///
    /// `head` is what follows the first part, `title`; its place and what ends there are marked.
    private static func form(
        _ description: String,
        _ rest: String,
        code: String? = nil,
        part: Int? = 1,
        _ parts: [Part] = [],
        findings: [String]? = nil,
        lowered: (code: String, to: Severity)? = nil,
        change: (inout UploadContract) -> Void = { _ in }
    ) -> UploadRow {
        var contract = contract
        change(&contract)
        return UploadRow(
            description,
            "--b\r\n\(field("title"))abc\r\n--b\r\n\(rest)",
            code: code,
            part: code == nil ? nil : part,
            [.complete("title", "abc")] + parts,
            findings: findings
        ) {
            $0.contract = contract
            // A code that does not exist changes nothing, and fails the row.
            if let lowered { try? $0.findings.set(lowered.to, of: lowered.code) }
        }
    }

    /// The header block of `photo`, with its empty line.
    private static func photo(_ filename: String, type: String? = "text/plain") -> String {
        "Content-Disposition: form-data; name=\"photo\"; filename=\"\(filename)\"\r\n"
            + (type.map { "Content-Type: \($0)\r\n" } ?? "") + "\r\n"
    }

    private static func photo(
        _ state: PartReport.State,
        _ filename: String,
        type: String? = "text/plain",
        _ content: String = ""
    ) -> Part {
        Part(
            state: state,
            name: "photo",
            filename: filename,
            contentType: type,
            content: content
        )
    }

    /// What a contract lets pass, and what it stops at gates G0, G2, G4 and G5.
    static let contracts: [UploadRow] = [
        form(
            "as agreed",
            "\(photo("a.txt"))1234\r\n--b\r\n\(photo("a.tar.gz", type: "IMAGE/x; q=1"))5\r\n--b--",
            [
                photo(.complete, "a.txt", "1234"),
                photo(.complete, "a.tar.gz", type: "IMAGE/x; q=1", "5"),
            ]
        ),
        form(
            "no declared type is text/plain",
            "\(photo("a.txt", type: nil))1\r\n--b--",
            [photo(.complete, "a.txt", type: nil, "1")]
        ),
        form(
            "a file input left empty",
            "\(photo("", type: "application/octet-stream"))\r\n--b--",
            [photo(.complete, "", type: "application/octet-stream")],
            findings: ["filename.empty"]
        ),
        form(
            "unknown field where those are allowed",
            "\(field("other"))1\r\n--b--",
            [.complete("other", "1")]
        ) { $0.allowsUnknownFields = true },
        UploadRow(
            "not a form",
            types: ["text/plain"],
            "■▲hello",
            code: "contract.not_a_form",
            []
        ) { $0.contract = contract },
        UploadRow(
            "another multipart type",
            types: ["multipart/mixed; boundary=b"],
            "■▲--b\r\n\r\n\r\n--b--",
            code: "contract.not_a_form",
            [],
            findings: ["contract.not_a_form", "content_type.not_multipart"]
        ) { $0.contract = contract },
        form(
            "unexpected field",
            "■▲\(field("other"))1\r\n--b--",
            code: "contract.unexpected_field",
            [.rejected("other", "")]
        ),
        form(
            "a name is its bytes, not what they mean",
            "■▲\(field("e\u{301}"))1\r\n--b--",
            code: "contract.unexpected_field",
            [.rejected("e\u{301}", "")]
        ) { $0.fields.append(FieldRule("\u{E9}", .field)) },
        form(
            "a file for a field",
            "■▲\(file("note", "x"))1\r\n--b--",
            code: "contract.wrong_kind",
            [
                Part(
                    state: .rejected,
                    name: "note",
                    filename: "x",
                    contentType: "text/plain",
                    content: ""
                )
            ]
        ) { $0.fields.append(FieldRule("note", .field)) },
        form(
            "a field for a file",
            "■▲\(field("photo"))1\r\n--b--",
            code: "contract.wrong_kind",
            [.rejected("photo", "")]
        ),
        form(
            "too many of one name",
            "■▲\(field("title"))abc\r\n--b--",
            code: "contract.too_many",
            [.rejected("title", "")]
        ),
        form(
            "extension",
            "■▲\(photo("a.exe"))1\r\n--b--",
            code: "contract.extension_denied",
            [photo(.rejected, "a.exe")]
        ),
        form(
            "declared type behind an extension that may be",
            "■▲\(photo("a.exe", type: "text/html"))1\r\n--b--",
            code: "contract.type_denied",
            [photo(.rejected, "a.exe", type: "text/html")],
            findings: ["contract.extension_denied", "contract.type_denied"],
            lowered: (code: "contract.extension_denied", to: .warn)
        ),
        form(
            "one too many, where a file may be a field",
            "■▲\(file("title", "a.exe"))1\r\n--b--",
            code: "contract.too_many",
            [
                Part(
                    state: .rejected,
                    name: "title",
                    filename: "a.exe",
                    contentType: "text/plain",
                    content: ""
                )
            ],
            findings: ["contract.wrong_kind", "contract.too_many"],
            lowered: (code: "contract.wrong_kind", to: .notice)
        ) { $0.fields[0].maximumCount = 1 },
        form(
            "a filename of an extension alone",
            "■▲\(photo(".txt"))1\r\n--b--",
            code: "contract.extension_denied",
            [photo(.rejected, ".txt")]
        ),
        form(
            "declared type",
            "■▲\(photo("a.txt", type: "text/html"))1\r\n--b--",
            code: "contract.type_denied",
            [photo(.rejected, "a.txt", type: "text/html")]
        ),
        form(
            "filename of other characters",
            "■▲\(photo("a_b.txt"))1\r\n--b--",
            code: "contract.filename_denied",
            [photo(.rejected, "a_b.txt")]
        ),
        form(
            "filename too long",
            "■▲\(photo("abcdefghi.txt"))1\r\n--b--",
            code: "contract.filename_denied",
            [photo(.rejected, "abcdefghi.txt")]
        ),
        form(
            "filename unlike the pattern",
            "■▲\(photo("txt"))1\r\n--b--",
            code: "contract.filename_denied",
            [photo(.rejected, "txt")]
        ),
        form(
            "required and absent",
            "\(photo("a.txt"))1■▲\r\n--b--",
            code: "contract.missing_field",
            part: nil,
            [photo(.complete, "a.txt", "1")]
        ) { $0.fields[2].isRequired = true },
        form(
            "required, and a file input left empty",
            "\(photo(""))■▲\r\n--b--",
            code: "contract.missing_field",
            part: nil,
            [photo(.complete, "")],
            findings: ["filename.empty", "contract.missing_field"]
        ) { $0.fields[1].isRequired = true },
        UploadRow(
            "required in a form without a part",
            "■▲--b--",
            code: "contract.missing_field",
            []
        ) { $0.contract = contract },
        UploadRow(
            "too small",
            "--b\r\n■\(field("title"))▲\r\n--b--",
            code: "contract.too_small",
            part: 0,
            [.rejected("title", "")]
        ) { $0.contract = contract },
        form(
            "begins like another type",
            "■\(file("page", "x"))▲1\r\n--b--",
            code: "contract.type_denied",
            [
                Part(
                    state: .rejected,
                    name: "page",
                    filename: "x",
                    contentType: "text/plain",
                    content: "1"
                )
            ]
        ),
        form(
            "an empty file is of no accepted type",
            "■\(file("page", "x"))▲\r\n--b--",
            code: "contract.type_denied",
            [
                Part(
                    state: .rejected,
                    name: "page",
                    filename: "x",
                    contentType: "text/plain",
                    content: ""
                )
            ]
        ),
        form(
            "begins as agreed",
            "\(file("page", "x"))<html>\r\n--b--",
            [.complete("page", "<html>", filename: "x", contentType: "text/plain")]
        ),
    ]

    /// What a contract stops in the middle of content.
    static let contractsWithinContent: [UploadRow] = [
        form(
            "too large",
            "\(photo("a.txt"))1234■▲5\r\n--b--",
            code: "contract.too_large",
            [photo(.rejected, "a.txt", "1234")]
        ),
        form(
            "content in a file without a name",
            "■\(photo("", type: "text/html"))▲5\r\n--b--",
            code: "contract.filename_denied",
            [photo(.rejected, "", type: "text/html")],
            findings: ["filename.empty", "contract.filename_denied"]
        ),
    ]
}
