import Multipart
import TestSupport
import Testing

@Suite struct DispositionTests {
    /// The value of a Content-Disposition; `^` stands before each byte that is reported.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let value: Marked
        let reasons: [MultipartReason]
        let name: String?
        let filename: String?
        let extended: String?

        init(
            _ value: String,
            _ reasons: [MultipartReason] = [],
            name: String? = "a",
            filename: String? = nil,
            extended: String? = nil
        ) {
            testDescription = value
            self.value = Marked(value)
            self.reasons = reasons
            self.name = name
            self.filename = filename
            self.extended = extended
        }
    }

    static let rows = [
        Row("form-data; name=\"a\""),
        Row("FORM-DATA;NAME=a"),
        Row("form-data; name=\"a\"; filename=\"f.txt\"", filename: "f.txt"),
        Row("form-data; filename=\"f.txt\"; name=\"a\"", filename: "f.txt"),
        Row("form-data; name=\"\"", name: ""),
        Row("form-data; name=\" \"", name: " "),
        Row("form-data; name=\"a\"; filename=\"b;c;name=d.txt\"", filename: "b;c;name=d.txt"),
        Row("form-data; name=\"a\"; filename=\"l'hiver.txt\"", filename: "l'hiver.txt"),
        Row("form-data; name=\"a\"; filename=\"x%00.jpg\"", filename: "x%00.jpg"),
        Row(
            "form-data; name=\"a\"; filename=\"\u{C3}\u{BC}\u{E2}\u{98}\u{83}\"",
            filename: "\u{FC}\u{2603}"
        ),

        Row("^attachment; name=\"a\"", [.dispositionNotFormData]),
        Row("^form-dataX; name=\"a\"", [.dispositionNotFormData]),
        Row("^^", [.dispositionNotFormData, .dispositionNameMissing], name: nil),
        Row("^form-data", [.dispositionNameMissing], name: nil),
        Row(
            "^form-data; ^surname=s",
            [.dispositionNameMissing, .dispositionUnknownParameter],
            name: nil
        ),
        Row("form-data; ^surname=\"s\"; name=\"a\"", [.dispositionUnknownParameter]),
        Row("^form-data^,; name=\"a\"", [.dispositionNotFormData, .dispositionInvalid]),
        Row("form-data; name^ = \"a\"", [.dispositionInvalid]),
        Row("form-data; name=^", [.dispositionInvalid], name: ""),
        Row("^form-data; name^", [.dispositionNameMissing, .dispositionInvalid], name: nil),
        Row("form-data; name=a^@b", [.dispositionInvalid], name: "a@b"),
        Row("form-data ^name=\"a\"", [.dispositionMissingSemicolon]),
        Row("form-data; name=\"a\" ^filename=\"f\"", [.dispositionMissingSemicolon], filename: "f"),
        Row("form-data^;; name=\"a\"", [.dispositionEmptyParameter]),
        Row("form-data; name=\"a\"^; ; filename=f", [.dispositionEmptyParameter], filename: "f"),
        Row("form-data; name=\"a\"^;", [.dispositionEmptyParameter]),
        Row("form-data; name=\"a\"; ^name=\"b\"", [.dispositionDuplicateParameter]),
        Row(
            "form-data; name=a; filename=f; ^FILENAME=g",
            [.dispositionDuplicateParameter],
            filename: "f"
        ),
        Row(
            "form-data; name=a; ^filename*=utf-8''f; ^filename*=utf-8''g",
            [.dispositionExtendedFilename, .dispositionDuplicateParameter],
            extended: "f"
        ),
        Row("form-data; name=\"a\"^filename=\"f\"", [.dispositionInvalidQuoting], filename: "f"),
        Row(
            #"form-data; name="a"; filename="b^^\"c""#,
            [.dispositionInvalidQuoting, .filenamePath],
            filename: #"b\"c"#
        ),
        Row("form-data; name=^\"a", [.dispositionInvalidQuoting]),
        Row("form-data; name=^'a'", [.dispositionInvalidQuoting], name: "'a'"),
        Row("form-data; name=\"'a'\"", name: "'a'"),

        Row(
            "form-data; name=\"^=?utf-8?B?YQ==?=\"",
            [.dispositionEncodedWord],
            name: "=?utf-8?B?YQ==?="
        ),
        Row(
            "form-data; name=a; filename=\"x^=?utf-8?q?y?=z\"",
            [.dispositionEncodedWord],
            filename: "x=?utf-8?q?y?=z"
        ),
        Row("form-data; name=a; filename=\"=?a?=?b?=\"", filename: "=?a?=?b?="),
        Row("form-data; name=a; filename=\"=?utf-8?x?y?=\"", filename: "=?utf-8?x?y?="),

        Row(
            "form-data; name=a; ^filename*=UTF-8''f.txt",
            [.dispositionExtendedFilename],
            extended: "f.txt"
        ),
        Row(
            "form-data; name=a; filename=f; ^filename*=utf-8''f",
            [.dispositionExtendedFilenameEqual],
            filename: "f",
            extended: "f"
        ),
        Row(
            "form-data; name=a; filename=f; ^filename*=utf-8'en'%66",
            [.dispositionExtendedFilenameEqual],
            filename: "f",
            extended: "f"
        ),
        Row(
            "form-data; name=a; filename=\"\u{C3}\u{BC}\"; ^filename*=iso-8859-1''%FC",
            [.dispositionExtendedFilenameEqual],
            filename: "\u{FC}",
            extended: "\u{FC}"
        ),
        Row(
            "form-data; name=a; filename=\"=?utf-8?B?c27Dty50eHQ=?=\"; ^filename*=utf-8''sn%C3%B7.txt",
            [.dispositionExtendedFilenameEqual],
            filename: "=?utf-8?B?c27Dty50eHQ=?=",
            extended: "sn\u{F7}.txt"
        ),
        Row(
            "form-data; name=a; filename=\"=?UTF-8?q?a_=C3=B7?=\"; ^filename*=utf-8''a%20%C3%B7",
            [.dispositionExtendedFilenameEqual],
            filename: "=?UTF-8?q?a_=C3=B7?=",
            extended: "a \u{F7}"
        ),
        Row(
            "form-data; name=a; filename=\"=?utf-8?B?c27D?=\"; ^filename*=utf-8''x.php",
            [.dispositionExtendedFilenameMismatch],
            filename: "=?utf-8?B?c27D?=",
            extended: "x.php"
        ),
        Row(
            "form-data; name=a; filename=f; ^filename*=utf-8''g",
            [.dispositionExtendedFilenameMismatch],
            filename: "f",
            extended: "g"
        ),
        Row("form-data; name=a; ^filename*=utf-8''%ZZ", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*=utf-8''%4", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*=utf-8''%FF", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*=utf-7''x", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*=x", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*=\"utf-8''x\"", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^filename*0=x; filename*1=y", [.dispositionExtendedParameter]),
        Row("form-data; name=a; ^name*=utf-8''x", [.dispositionExtendedParameter]),
        Row(
            "form-data; name=a; ^filename*=^utf-8''%2E%2E%2Fx",
            [.dispositionExtendedFilename, .filenamePath],
            extended: "../x"
        ),

        Row("form-data; name=a; filename=\"C:^\\f\"", [.filenamePath], filename: "C:\\f"),
        Row("form-data; name=a; filename=\"..^/..\\f\"", [.filenamePath], filename: "../..\\f"),
        Row(
            "form-data; name=a; filename=\"a^^\u{1}b\"",
            [.partHeaderControl, .filenameControl],
            filename: "a\u{1}b"
        ),
        Row("form-data; name=a; filename=\"a\tb\"", [], filename: "a\tb"),
        Row(
            "form-data; name=a; filename=\"a^\u{C2}\u{9B}b\"",
            [.filenameControl],
            filename: "a\u{9B}b"
        ),
        Row("form-data; name=a; filename=\"a\u{C2}\u{A0}b\"", filename: "a\u{A0}b"),
        Row(
            "form-data; name=a; filename=\"a^\u{E2}\u{80}\u{AE}b\"",
            [.filenameBidi],
            filename: "a\u{202E}b"
        ),
        Row(
            "form-data; name=a; filename=\"a^\u{E2}\u{81}\u{A6}b\"",
            [.filenameBidi],
            filename: "a\u{2066}b"
        ),
        Row("form-data; name=a; filename=\"a\u{E2}\u{80}\u{A8}b\"", filename: "a\u{2028}b"),
        Row("form-data; name=a; filename=\"^\"", [.filenameEmpty], filename: ""),
        Row(
            "form-data; name=a; filename=\"^\u{E9}\"",
            [.filenameInvalidUTF8],
            filename: "\u{FFFD}"
        ),
        Row("form-data; name=\"a^\u{85}\"", [.nameInvalidUTF8], name: "a\u{FFFD}"),
        Row("form-data; name=\"^_charset_\"", [.partCharsetField], name: "_charset_"),
        Row("form-data; name=\"12345678^9\"", [.nameTooLong], name: "123456789"),
        Row(
            "form-data; name=a; filename=\"123456789012345678901234567890123456^7\"",
            [.filenameTooLong],
            filename: "1234567890123456789012345678901234567"
        ),
        Row(
            "form-data; name=a; ^filename*=utf-8''12345678901234567890123456789^01",
            [.dispositionExtendedFilename, .filenameTooLong],
            extended: "1234567890123456789012345678901"
        ),
    ]

    /// Long enough for every row that is not about them: 8 bytes, and 36.
    static var limits: MultipartLimits {
        var limits = MultipartLimits()
        limits.nameBytes = 18
        limits.filenameBytes = 36
        return limits
    }

    @Test(arguments: rows)
    func everyValueIsRead(_ row: Row) throws {
        var limits = Self.limits
        if row.reasons == [.nameTooLong] { limits.nameBytes = 8 }
        let prefix = Array("--b0Und\r\nContent-Disposition: ".utf8)
        let body = prefix + row.value.bytes + Array("\r\n\r\nx".utf8)
        let whole = try events(of: [body[...]], limits: limits)
        let facts: [MultipartFact] = whole.compactMap { event in
            if case .fact(let reason, let offset) = event {
                MultipartFact(reason, at: offset - prefix.count)
            } else {
                nil
            }
        }
        #expect(facts == zip(row.reasons, row.value.offsets).map { MultipartFact($0, at: $1) })
        #expect(facts.count == row.value.offsets.count)
        let parts: [Event.Part] = whole.compactMap {
            if case .part(let part) = $0 { part } else { nil }
        }
        let part = try #require(parts.first)
        #expect(part.name == row.name)
        #expect(part.filename == row.filename)
        #expect(part.extendedFilename == row.extended)
        for cut in cuts(of: body) { #expect(try events(of: cut, limits: limits) == whole) }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func anyValueIsReadWithoutATrap(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let pieces = [
            "form-data", ";", " ", "name", "filename", "filename*", "=", "\"", "\\", "'", "=?",
            "?=",
            "?B?", "?q?", "utf-8", "''", "%", "%41", "%FF", "a", "\u{FF}", "\t", "/", "*", "YWI=",
            "?",
        ]
        for _ in 0..<5_000 {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                pieces[Int.random(in: pieces.indices, using: &random)]
            }
            let value = Marked(text.joined()).bytes
            let body =
                Array("--b0Und\r\nContent-Disposition: ".utf8) + value + Array("\r\n\r\n".utf8)
            for case .fact(_, let offset) in try events(of: [body[...]]) {
                #expect(offset >= 9 && offset < body.count)
            }
        }
    }
}
