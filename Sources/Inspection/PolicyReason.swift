internal import Wire

/// What a policy, rather than a grammar, has against an upload.
package enum PolicyReason: String, FaultReason {
    case contentTypeDenied = "content_type.denied"
    case contentTypeDuplicateHeader = "content_type.duplicate_header"
    case limitBody = "limit.body"
    case limitParts = "limit.parts"
    case limitFiles = "limit.files"
    case limitPartSize = "limit.part_size"
    case limitNonFileBytes = "limit.non_file_bytes"
    case digestMismatch = "digest.mismatch"
    case digestMalformed = "digest.malformed"
    case digestUnchecked = "digest.unchecked"
    case hashDenied = "hash.denied"
    case hashNotAllowed = "hash.not_allowed"
    case typeMismatch = "type.mismatch"
    case typeDenied = "type.denied"
    case typePolyglot = "type.polyglot"

    case contractNotAForm = "contract.not_a_form"
    case contractUnexpectedField = "contract.unexpected_field"
    case contractMissingField = "contract.missing_field"
    case contractWrongKind = "contract.wrong_kind"
    case contractTooMany = "contract.too_many"
    case contractTooLarge = "contract.too_large"
    case contractTooSmall = "contract.too_small"
    case contractTypeDenied = "contract.type_denied"
    case contractExtensionDenied = "contract.extension_denied"
    case contractFilenameDenied = "contract.filename_denied"

    package var explanation: String {
        switch self {
        case .contentTypeDenied:
            "The body's media type is not among those this route accepts."
        case .contentTypeDuplicateHeader:
            "The request has more than one Content-Type field; recipients differ in which they use."
        case .limitBody:
            "The body is larger than this route allows."
        case .limitParts:
            "The body has more parts than this route allows."
        case .limitFiles:
            "The body has more file parts than this route allows."
        case .limitPartSize:
            "The part is larger than this route allows."
        case .limitNonFileBytes:
            "The parts without a filename hold more bytes in all than this route allows."
        case .digestMismatch:
            "The content does not have the digest that its sender states."
        case .digestMalformed:
            "A digest field cannot be read: its value is not a digest in the form of its RFC."
        case .digestUnchecked:
            "A digest is stated that nobody here checks: its algorithm is not known, or its trailer "
                + "field was not announced."
        case .hashDenied:
            "The file's hash is on the list of denied hashes."
        case .hashNotAllowed:
            "The file's hash is not on the list of allowed hashes."
        case .typeMismatch:
            "The file begins like another type than the part declares."
        case .typeDenied:
            "The file begins like a type that this route does not accept."
        case .typePolyglot:
            "The file begins like one type, and the beginning of another is hidden close behind."
        case .contractNotAForm:
            "The body is not multipart/form-data, and the contract of this route is about forms."
        case .contractUnexpectedField:
            "The contract of this route has no field of this name."
        case .contractMissingField:
            "The form ends without a field that the contract of this route requires."
        case .contractWrongKind:
            "The part has a filename where the contract has a field, or none where it has a file."
        case .contractTooMany:
            "There are more parts of this name than the contract of this route allows."
        case .contractTooLarge:
            "The part is larger than the contract of this route allows."
        case .contractTooSmall:
            "The part is smaller than the contract of this route allows."
        case .contractTypeDenied:
            "The part declares, or begins like, a type that the contract of this route leaves out."
        case .contractExtensionDenied:
            "The filename ends in none of the extensions of the contract of this route."
        case .contractFilenameDenied:
            "The filename is not what the contract of this route allows."
        }
    }

    package var reference: String {
        switch self {
        case .contentTypeDenied: "policy contentTypes"
        case .contentTypeDuplicateHeader: "RFC 9110 5.3"
        case .limitBody: "policy limits.bodyBytes"
        case .limitParts: "policy limits.parts"
        case .limitFiles: "policy limits.files"
        case .limitPartSize: "policy limits.partBytes"
        case .limitNonFileBytes: "policy limits.nonFileBytes"
        case .digestMismatch, .digestMalformed, .digestUnchecked: "RFC 9530 2"
        case .hashDenied: "policy hashes.deny"
        case .hashNotAllowed: "policy hashes.allow"
        case .typeMismatch, .typePolyglot: "WHATWG MIME Sniffing 7"
        case .typeDenied: "policy deniedTypes"
        case .contractNotAForm, .contractUnexpectedField, .contractMissingField,
            .contractWrongKind, .contractTooMany, .contractTooLarge, .contractTooSmall,
            .contractTypeDenied, .contractExtensionDenied, .contractFilenameDenied:
            "policy contract"
        }
    }
}
