package import Digest
package import HTTP1
package import Inspection

/// The digests a request states of its body, in its head and, as announced, in its trailer.
package struct RequestDigests {
    package let fields: [(field: DigestField, value: ArraySlice<UInt8>)]

    /// What a trailer may state, to be computed while the body passes.
    package let announced: [DigestAlgorithm]

    package init(of request: RequestHead) {
        guard request.framing != .none else {
            fields = []
            announced = []
            return
        }
        let partial = Self.sendsPart(request)
        let isRecoded = Self.isRecoded(request.fields)
        fields = Self.fields(of: request.fields).filter { claim in
            switch claim.field {
            case .reprDigest: !partial
            case .amazonChecksum: !isRecoded
            case .contentDigest, .contentMD5: true
            }
        }
        announced = isRecoded ? [] : Self.announced(in: request.fields)
    }

    /// The lines of a field section that carry digests, in order.
    package static func fields(
        of section: FieldSection
    ) -> [(field: DigestField, value: ArraySlice<UInt8>)] {
        var fields: [(DigestField, ArraySlice<UInt8>)] = []
        for line in section.lines {
            switch line.known {
            case .contentDigest, .reprDigest, .contentMD5, .other:
                if let field = DigestField(name: section.name(line).span) {
                    fields.append((field, section.value(line)))
                }
            default:
                continue
            }
        }
        return fields
    }

    /// RFC 9530 §3.1: of a range, or of a patch, the representation is more than the content.
    private static func sendsPart(_ request: RequestHead) -> Bool {
        request.method == "PATCH" || hasField("content-range", request.fields)
    }

    /// Amazon's own coding wraps the content in signed chunks; the checksum is of what they hold.
    private static func isRecoded(_ section: FieldSection) -> Bool {
        section.lines.contains { line in
            section.matches(line.name, "content-encoding")
                && section.text(of: line.value).lowercased().contains("aws-chunked")
        }
    }

    private static func hasField(_ name: String, _ section: FieldSection) -> Bool {
        section.lines.contains { section.matches($0.name, name) }
    }

    /// RFC 9110 §6.6.2: the fields that Trailer names.
    ///
    /// Which algorithm a Content-Digest will use is not said in advance, so both of RFC 9530's are
    /// computed.
    private static func announced(in section: FieldSection) -> [DigestAlgorithm] {
        var algorithms: [DigestAlgorithm] = []
        for line in section.lines where line.known == .trailer {
            for name in section.text(of: line.value).split(separator: ",") {
                let bytes = Array(name.utf8).filter { $0 != 0x20 && $0 != 0x09 }
                switch DigestField(name: bytes.span) {
                case .contentDigest, .reprDigest: algorithms += [.sha256, .sha512]
                case .amazonChecksum(let algorithm): algorithms.append(algorithm)
                case .contentMD5: algorithms.append(.md5)
                case nil: break
                }
            }
        }
        return algorithms
    }
}
