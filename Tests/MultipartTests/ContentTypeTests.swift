import Multipart
import TestSupport
import Testing
import Wire

@Suite struct ContentTypeTests {
    /// A Content-Type; `^` stands before each byte that is reported.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let value: Marked
        let problems: [MultipartReason]
        let boundary: String?
        let mediaType: String

        init(
            _ value: String,
            _ problems: [MultipartReason] = [],
            boundary: String? = "b",
            mediaType: String = "multipart/form-data"
        ) {
            testDescription = String(value.prefix(90))
            self.value = Marked(value)
            self.problems = problems
            self.boundary = boundary
            self.mediaType = mediaType
        }
    }

    static let seventy = String(repeating: "0123456789", count: 7)

    static let rows = [
        Row("multipart/form-data; boundary=b"),
        Row("Multipart/FORM-Data;BOUNDARY=\"b\""),
        Row("multipart/form-data; charset=UTF-8; boundary=b;"),
        Row("multipart/form-data; charset=\"us-ascii\"; boundary=b"),
        Row("multipart/form-data; a=1; boundary=b; a=2"),
        Row("multipart/form-data; boundary=\"two words\"", boundary: "two words"),
        Row("multipart/form-data; boundary=\"a=b:c/d,e\"", boundary: "a=b:c/d,e"),
        Row("multipart/form-data; boundary='b'", boundary: "'b'"),
        Row("multipart/form-data; boundary=\(seventy)", boundary: seventy),

        Row("multipart/form-data^", [.boundaryMissing], boundary: nil),
        Row("multipart/form-data; charset=utf-8^", [.boundaryMissing], boundary: nil),
        Row(
            "multipart/form-data; boundary^^",
            [.contentTypeInvalid, .boundaryMissing],
            boundary: nil
        ),
        Row("multipart/form-data; boundary=^", [.boundaryEmpty], boundary: nil),
        Row("multipart/form-data; boundary=\"^\"", [.boundaryEmpty], boundary: nil),
        Row("multipart/form-data; boundary=\(seventy)^x", [.boundaryTooLong], boundary: nil),
        Row("multipart/form-data; boundary=a^!b", [.boundaryInvalidCharacter], boundary: nil),
        Row("multipart/form-data; boundary=\"a^;b\"", [.boundaryInvalidCharacter], boundary: nil),
        Row(
            "multipart/form-data; boundary=\"a^\u{E9}\"",
            [.boundaryInvalidCharacter],
            boundary: nil
        ),
        Row("multipart/form-data; boundary=a^,b", [.boundaryInvalidCharacter], boundary: "a,b"),
        Row("multipart/form-data; boundary=b^\"", [.boundaryInvalidCharacter], boundary: nil),
        Row("multipart/form-data; boundary=\"b^ \"", [.boundaryTrailingSpace], boundary: nil),
        Row("multipart/form-data; boundary=--^=b", [.boundaryInvalidQuoting], boundary: "--=b"),
        Row("multipart/form-data; boundary=a^:b/c?", [.boundaryInvalidQuoting], boundary: "a:b/c?"),
        Row("multipart/form-data; boundary=b; ^Boundary=c", [.boundaryDuplicateParameter]),
        Row(
            "multipart/form-data; ^boundary*=utf-8''b^",
            [.boundaryContinuationParameter, .boundaryMissing],
            boundary: nil
        ),
        Row("multipart/form-data; boundary=b; ^boundary*0=c", [.boundaryContinuationParameter]),
        Row("multipart/form-data; ^xboundary=f; boundary=b", [.boundaryAmbiguousParameter]),
        Row(
            "multipart/form-data; ^boundary1=b^",
            [.boundaryAmbiguousParameter, .boundaryMissing],
            boundary: nil
        ),
        Row("multipart/form-data; boundary^ =b", [.boundaryParameterWhitespace]),
        Row("multipart/form-data; boundary=^ b", [.boundaryParameterWhitespace]),

        Row(
            "multipart/form-data^, ^boundary=b",
            [.contentTypeInvalid, .contentTypeMissingSemicolon]
        ),
        Row("multipart/form-data ^boundary=b", [.contentTypeMissingSemicolon]),
        Row(
            "multipart/form-data; boundary=b ^c^",
            [.contentTypeMissingSemicolon, .contentTypeInvalid]
        ),
        Row("multipart/form-data; boundary=^\"b", [.contentTypeInvalid]),
        Row("multipart/form-data; boundary=\"b\"^x", [.contentTypeInvalid]),
        Row("multipart/form-data; note=\"x\"^y; boundary=b", [.contentTypeInvalid]),
        Row("multipart/form-data; charset^ =utf-8; boundary=b", [.contentTypeInvalid]),
        Row("multipart/form-data; charset=^ibm037; boundary=b", [.contentTypeCharset]),
        Row(
            "^multipart/mixed; boundary=b",
            [.contentTypeNotMultipart],
            mediaType: "multipart/mixed"
        ),
        Row(
            "^multipart/form-dataX; boundary=b",
            [.contentTypeNotMultipart],
            mediaType: "multipart/form-datax"
        ),
        Row(
            "^^multipart; boundary=b",
            [.contentTypeInvalid, .contentTypeNotMultipart],
            mediaType: "multipart"
        ),
        Row("^text/plain", [.contentTypeNotMultipart], boundary: nil, mediaType: "text/plain"),
        Row("^^", [.contentTypeInvalid, .contentTypeNotMultipart], boundary: nil, mediaType: ""),
        Row(
            "^^/x",
            [.contentTypeInvalid, .contentTypeNotMultipart],
            boundary: nil,
            mediaType: "/x"
        ),
    ]

    @Test(arguments: rows)
    func everyValueIsRead(_ row: Row) {
        let type = MultipartContentType(parsing: row.value.bytes.span)
        // A defect may show more than once; the table has the first place of each reason.
        var seen: Set<MultipartReason> = []
        let problems = type.problems.filter { seen.insert($0.reason).inserted }
        let expected = zip(row.problems, row.value.offsets).map { MultipartFact($0, at: $1) }
        #expect(problems == expected)
        #expect(problems.count == row.value.offsets.count)
        #expect(type.problems.map(\.offset) == type.problems.map(\.offset).sorted())
        #expect(type.boundary?.description == row.boundary)
        #expect(type.mediaType == row.mediaType)
        #expect(type.isMultipart == row.mediaType.hasPrefix("multipart"))
    }

    @Test func theCharsetIsGivenAsSent() {
        let value = Array("multipart/form-data; Charset=\"Utf-8\"; boundary=b".utf8)
        #expect(MultipartContentType(parsing: value.span).charset == "Utf-8")
    }

    @Test(arguments: UInt8.min...UInt8.max)
    func everyByteIsClassified(_ byte: UInt8) {
        let isAllowed = ByteClass.boundary.contains(byte)
        func reason(_ bytes: [UInt8]) -> MultipartReason? {
            do {
                let boundary = try MultipartBoundary(bytes.span)
                return boundary.description.utf8.elementsEqual(bytes) ? nil : .boundaryMissing
            } catch {
                return error.reason
            }
        }
        #expect(reason([byte, 98]) == (isAllowed ? nil : .boundaryInvalidCharacter))
        let last: MultipartReason? = byte == 32 ? .boundaryTrailingSpace : .boundaryInvalidCharacter
        #expect(reason([98, byte]) == (isAllowed && byte != 32 ? nil : last))
    }

    @Test func theLimitIsALimit() throws {
        let bytes = Array("12345".utf8)
        #expect(throws: MultipartFault(.boundaryTooLong, at: 4)) {
            try MultipartBoundary(bytes.span, limit: 4)
        }
        #expect(throws: MultipartFault(.boundaryTooLong, at: 0)) {
            try MultipartBoundary(bytes.span, limit: Int.min)
        }
        #expect(try MultipartBoundary(bytes.span, limit: 5).description == "12345")
    }
}
