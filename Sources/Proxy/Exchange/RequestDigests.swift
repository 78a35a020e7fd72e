package import Digest
package import HTTP1
package import Inspection

/// The digests a request states of its body, in its head and, as announced, in its trailer.
package struct RequestDigests {
    package let fields: [(field: DigestField, value: ArraySlice<UInt8>)]

    /// What a trailer may state, to be computed while the body passes.
    package let announced: [DigestAlgorithm]

    private let scope: Scope

    package init(of request: RequestHead) {
        scope = Scope(of: request)
        guard request.framing != .none else {
            fields = []
            announced = []
            return
        }
        fields = Self.fields(of: request.fields, in: scope)
        announced = Self.announced(in: request.fields, in: scope)
    }

    /// The fields of the request's trailer that state digests of its body, in order.
    package func fields(ofTrailer section: FieldSection?) -> [(
        field: DigestField, value: ArraySlice<UInt8>
    )] {
        section.map { Self.fields(of: $0, in: scope) } ?? []
    }

    private static func fields(
        of section: FieldSection,
        in scope: Scope
    ) -> [(field: DigestField, value: ArraySlice<UInt8>)] {
        var fields: [(DigestField, ArraySlice<UInt8>)] = []
        for line in section.lines {
            let known: DigestField? =
                switch line.known {
                case .contentDigest: .contentDigest
                case .reprDigest: .reprDigest
                case .contentMD5: .contentMD5
                case .other: DigestField(name: section.bytes.span.extracting(line.name))
                default: nil
                }
            guard let field = known, scope.covers(field) else { continue }
            fields.append((field, section.value(line)))
        }
        return fields
    }

    /// RFC 9110 §6.6.2: the fields that Trailer names.
    ///
    /// Which algorithm a Content-Digest will use is not said in advance, so both of RFC 9530's are
    /// computed.
    private static func announced(
        in section: FieldSection,
        in scope: Scope
    ) -> [DigestAlgorithm] {
        var algorithms: [DigestAlgorithm] = []
        for line in section.lines where line.known == .trailer {
            for name in section.text(of: line.value).split(separator: ",") {
                let bytes = Array(name.utf8).filter { $0 != 0x20 && $0 != 0x09 }
                guard let field = DigestField(name: bytes.span), scope.covers(field) else {
                    continue
                }
                switch field {
                case .contentDigest, .reprDigest: algorithms += [.sha256, .sha512]
                case .amazonChecksum(let algorithm): algorithms.append(algorithm)
                case .contentMD5: algorithms.append(.md5)
                }
            }
        }
        return algorithms
    }
}

/// Which of its digest fields describe the body that a request sends.
private struct Scope {
    /// RFC 9530 §3.1: of a range, or of a patch, the representation is more than the content.
    ///
    /// A content coding changes nothing here: the representation is what it makes.
    private let sendsPart: Bool

    /// Amazon's own coding wraps the content in signed chunks; the checksum is of what they hold.
    private let isRecoded: Bool

    init(of request: RequestHead) {
        let section = request.fields
        sendsPart =
            request.method == "PATCH" || section.firstLine(.contentRange) != nil
        isRecoded = section.lines.contains { line in
            line.known == .contentEncoding
                && section.text(of: line.value).lowercased().contains("aws-chunked")
        }
    }

    func covers(_ field: DigestField) -> Bool {
        switch field {
        case .reprDigest: !sendsPart
        case .amazonChecksum: !isRecoded
        case .contentDigest, .contentMD5: true
        }
    }
}
