package import Wire

/// Why a message is no HTTP/1.1 message that everybody reads alike.
///
/// One case per defect that can be told apart, for both directions. The raw values are API.
package enum HTTPReason: String, FaultReason {
    // The request line.
    case requestLineInvalid = "http.request_line_invalid"
    case requestLineTooLong = "http.request_line_too_long"
    case methodInvalid = "http.method_invalid"
    case targetInvalid = "http.target_invalid"
    case targetFragment = "http.target_fragment"
    case versionMissing = "http.version_missing"
    case versionInvalid = "http.version_invalid"
    case versionUnsupported = "http.version_unsupported"
    case connectRefused = "http.connect_refused"

    // The status line.
    case statusLineInvalid = "http.status_line_invalid"
    case statusLineTooLong = "http.status_line_too_long"
    case statusCodeInvalid = "http.status_code_invalid"

    // Every line of a head or trailer.
    case bareLF = "http.bare_lf"
    case bareCR = "http.bare_cr"
    case nul = "http.nul"

    // Field lines.
    case leadingWhitespace = "http.leading_whitespace"
    case fieldFolded = "http.field_folded"
    case fieldNameEmpty = "http.field_name_empty"
    case fieldNameInvalid = "http.field_name_invalid"
    case spaceBeforeColon = "http.space_before_colon"
    case fieldNoColon = "http.field_no_colon"
    case fieldValueControl = "http.field_value_control"
    case fieldLineTooLong = "http.field_line_too_long"
    case tooManyFields = "http.too_many_fields"
    case headTooLarge = "http.head_too_large"

    // Routing.
    case hostMissing = "http.host_missing"
    case hostDuplicate = "http.host_duplicate"
    case hostInvalid = "http.host_invalid"

    // Framing.
    case contentLengthInvalid = "http.content_length_invalid"
    case contentLengthTooLarge = "http.content_length_too_large"
    case contentLengthDuplicate = "http.content_length_duplicate"
    case contentLengthWithTransferEncoding = "http.content_length_with_transfer_encoding"
    case transferEncodingInvalid = "http.transfer_encoding_invalid"
    case transferEncodingUnknown = "http.transfer_encoding_unknown"
    case transferEncodingDuplicate = "http.transfer_encoding_duplicate"
    case transferEncodingInHTTP10 = "http.transfer_encoding_in_http_1_0"

    // The connection.
    case connectionInvalid = "http.connection_invalid"
    case connectionListsFraming = "http.connection_lists_framing"
    case expectationUnknown = "http.expectation_unknown"
    case maxForwardsInvalid = "http.max_forwards_invalid"

    // The body.
    case chunkSizeMissing = "http.chunk_size_missing"
    case chunkSizeInvalid = "http.chunk_size_invalid"
    case chunkSizeTooLarge = "http.chunk_size_too_large"
    case chunkExtensionInvalid = "http.chunk_extension_invalid"
    case chunkExtensionTooLong = "http.chunk_extension_too_long"
    case chunkLineEndInvalid = "http.chunk_line_end_invalid"
    case chunkDataEndInvalid = "http.chunk_data_end_invalid"
    case trailerTooLarge = "http.trailer_too_large"
    case bodyTruncated = "http.body_truncated"

    /// The status of the answer to a client whose request has this defect.
    ///
    /// The same defect in an upstream's response is a 502, whatever it is.
    package var status: Int {
        switch self {
        case .requestLineTooLong: 414
        case .fieldLineTooLong, .tooManyFields, .headTooLarge, .trailerTooLarge: 431
        case .versionUnsupported: 505
        case .transferEncodingUnknown: 501
        case .contentLengthTooLarge: 413
        case .expectationUnknown: 417
        case .connectRefused: 405
        case .statusLineInvalid, .statusLineTooLong, .statusCodeInvalid: 502
        case .requestLineInvalid, .methodInvalid, .targetInvalid, .targetFragment,
            .versionMissing, .versionInvalid, .bareLF, .bareCR, .nul, .leadingWhitespace,
            .fieldFolded, .fieldNameEmpty, .fieldNameInvalid, .spaceBeforeColon, .fieldNoColon,
            .fieldValueControl, .hostMissing, .hostDuplicate, .hostInvalid,
            .contentLengthInvalid, .contentLengthDuplicate, .contentLengthWithTransferEncoding,
            .transferEncodingInvalid, .transferEncodingDuplicate, .transferEncodingInHTTP10,
            .connectionInvalid, .connectionListsFraming, .maxForwardsInvalid, .chunkSizeMissing,
            .chunkSizeInvalid, .chunkSizeTooLarge, .chunkExtensionInvalid,
            .chunkExtensionTooLong, .chunkLineEndInvalid, .chunkDataEndInvalid, .bodyTruncated:
            400
        }
    }

    /// The reason for a byte that is not allowed where it stands.
    ///
    /// A line end that is not CRLF, and NUL, have the same reason everywhere in a head; any
    /// other byte breaks the rule of the element that it stands in.
    static func offending(_ byte: UInt8, in element: HTTPReason) -> HTTPReason {
        switch byte {
        case ASCII.LF: .bareLF
        case ASCII.NUL: .nul
        default: element
        }
    }
}

/// A defect of an HTTP message, and where it is.
package typealias HTTPFault = Fault<HTTPReason>
