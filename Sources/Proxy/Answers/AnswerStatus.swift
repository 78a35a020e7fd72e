/// The status code that answers a finding, by its stable code.
///
/// 413 says that something is too large, 415 that its type is not taken here, 422 that a
/// well-formed upload breaks the route's contract or its own digest; everything else is malformed.
enum AnswerStatus {
    static func status(of code: String) -> Int {
        switch code {
        case "limit.body", "limit.part_size", "limit.parts", "limit.files", "limit.non_file_bytes",
            "contract.too_large":
            413
        case "content_type.denied", "content_type.not_multipart", "type.denied",
            "contract.type_denied", "contract.not_a_form":
            415
        default:
            code.hasPrefix("contract.") || code.hasPrefix("digest.") || code.hasPrefix("hash.")
                || code == "type.mismatch" || code == "type.polyglot"
                ? 422 : 400
        }
    }
}
