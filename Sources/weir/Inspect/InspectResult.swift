package import Inspection

/// What `weir inspect` found: the parts, and what is odd or wrong.
package struct InspectResult: Sendable {
    /// One finding, and where to look for its bytes.
    package struct Entry: Sendable {
        package let finding: Finding
        package let place: Place

        package init(finding: Finding, place: Place) {
            self.finding = finding
            self.place = place
        }
    }

    /// What the offset of a finding counts from.
    package enum Place: Equatable, Sendable {
        /// The first byte of the body, transfer coding undone.
        case body
        /// The first byte of the file, at this offset.
        case file(Int)
    }

    package var contentType: String?
    package var parts: [PartReport] = []
    package var entries: [Entry] = []

    /// Bytes of the body that were read.
    package var bodyBytes = 0

    /// Where the body begins in the file if it lies there as it is, nil if it is chunked.
    package var bodyOffset: Int? = 0

    /// What the reader should know beside the findings.
    package var notes: [String] = []

    package init() {}

    package var isBlocked: Bool { entries.contains { $0.finding.severity == .block } }
    package var verdict: String { isBlocked ? "blocked" : "allowed" }
}

extension InspectResult {
    /// The object that `--json` prints; its names are API.
    package var json: JSONValue {
        .object([
            JSONMember("verdict", .string(verdict)),
            JSONMember("parts", .array(parts.map(Self.json))),
            JSONMember("findings", .array(entries.map { Self.json($0.finding) })),
        ])
    }

    private static func json(_ part: PartReport) -> JSONValue {
        let sha256 = part.digests.first { $0.algorithm == "sha256" }?.hexadecimal
        let parent = part.parent.map { [JSONMember("parent", .integer($0))] } ?? []
        return .object(
            parent + [
                JSONMember("index", .integer(part.index)),
                JSONMember("name", .optional(part.name)),
                JSONMember("filename", .optional(part.filename)),
                JSONMember("content_type", .optional(part.contentType)),
                JSONMember("sniffed_type", .optional(part.sniffedType)),
                JSONMember("size", .integer(part.size)),
                JSONMember("sha256", .optional(sha256)),
                JSONMember("offset", .integer(part.contentOffset)),
                JSONMember("end", .integer(part.endOffset)),
                JSONMember("kind", .string(part.kind.rawValue)),
                JSONMember("state", .string(part.state.rawValue)),
            ]
        )
    }

    private static func json(_ finding: Finding) -> JSONValue {
        .object([
            JSONMember("code", .string(finding.code)),
            JSONMember("severity", .string(finding.severity.rawValue)),
            JSONMember("offset", .integer(finding.offset)),
            JSONMember("part", .optional(finding.part)),
            JSONMember("detail", .string(finding.detail)),
            JSONMember("reference", .string(finding.reference)),
        ])
    }
}
