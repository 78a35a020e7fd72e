import Inspection
import Testing

/// One row of the tables: a body, how it is sent and judged, and what must come of it.
struct UploadRow: CustomTestStringConvertible, Sendable {
    /// How the length of the body is known.
    enum Framing: String, CaseIterable, Sendable {
        case declared
        case chunked
    }

    /// What is expected of one part.
    struct Part: Equatable, Sendable {
        var state: PartReport.State
        var name: String?
        var filename: String?
        var contentType: String?
        var content: String

        /// A field, or a file if it has a filename.
        static func complete(
            _ name: String?,
            _ content: String,
            filename: String? = nil,
            contentType: String? = nil
        ) -> Part {
            Part(
                state: .complete,
                name: name,
                filename: filename,
                contentType: contentType,
                content: content
            )
        }

        static func truncated(_ name: String?, _ content: String) -> Part {
            Part(state: .truncated, name: name, content: content)
        }

        static func rejected(_ name: String?, _ content: String, filename: String? = nil) -> Part {
            Part(state: .rejected, name: name, filename: filename, content: content)
        }
    }

    let testDescription: String
    var contentTypes = ["multipart/form-data; boundary=b"]
    var framings = Framing.allCases
    var policy = InspectionPolicy()
    let body: String

    /// The code of the finding that decides, or nil where the body passes.
    var code: String?

    /// The index of the part to which that finding belongs.
    var part: Int?
    var parts: [Part] = []

    /// Codes of all findings, where there are more than the one that decides.
    var findings: [String]?
}

extension UploadRow {
    init(
        _ description: String,
        types: [String]? = nil,
        framings: [Framing] = Framing.allCases,
        _ body: String,
        code: String? = nil,
        part: Int? = nil,
        _ parts: [Part] = [],
        findings: [String]? = nil,
        policy change: (inout InspectionPolicy) -> Void = { _ in }
    ) {
        testDescription = description
        if let types { contentTypes = types }
        self.framings = framings
        self.body = body
        self.code = code
        self.part = part
        self.parts = parts
        self.findings = findings
        change(&policy)
    }

    /// The header block of a field, with its empty line.
    static func field(_ name: String) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"\r\n\r\n"
    }

    /// The header block of a file, with its empty line.
    static func file(_ name: String, _ filename: String) -> String {
        "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\n"
            + "Content-Type: text/plain\r\n\r\n"
    }
}

extension UploadRow.Part {
    /// What a report says, for comparison; its content is cut out of the body.
    init(_ report: PartReport, of body: [UInt8]) {
        self.init(
            state: report.state,
            name: report.name,
            filename: report.filename,
            contentType: report.contentType,
            content: String(
                decoding: body[report.contentOffset..<report.endOffset],
                as: UTF8.self
            )
        )
    }
}
