extension HTTPReason {
    package var explanation: String {
        switch self {
        case .requestLineInvalid:
            "The request line is not a method, a target and a version with one space between."
        case .requestLineTooLong: "The request line is longer than the limit."
        case .methodInvalid: "The method has a character that is not allowed in a token."
        case .targetInvalid:
            "The request target is none of the four forms, or not one that fits the method."
        case .targetFragment: "The request target has a fragment, which is never sent."
        case .versionMissing: "The request line has no HTTP version."
        case .versionInvalid: "The HTTP version is not \"HTTP/\", a digit, a dot and a digit."
        case .versionUnsupported: "The major version of HTTP is not 1."
        case .connectRefused: "CONNECT asks for a tunnel, and a reverse proxy opens none."
        case .statusLineInvalid:
            "The status line is not a version, a status code and a reason with one space between."
        case .statusLineTooLong: "The status line is longer than the limit."
        case .statusCodeInvalid: "The status code is not three digits from 100 to 599."
        case .bareLF: "A line ends with LF alone; a line ends with CRLF."
        case .bareCR: "A CR is not followed by LF; a line ends with CRLF."
        case .nul: "The head contains a NUL."
        case .leadingWhitespace: "There is whitespace between the start line and the first field."
        case .fieldFolded: "A field line begins with whitespace, which continues the one before."
        case .fieldNameEmpty: "A field line begins with the colon; it has no name."
        case .fieldNameInvalid: "A field name has a character that is not allowed in a token."
        case .spaceBeforeColon: "A field name is followed by whitespace instead of the colon."
        case .fieldNoColon: "A field line has no colon."
        case .fieldValueControl: "A field value contains a control character."
        case .fieldLineTooLong: "A field line is longer than the limit."
        case .tooManyFields: "There are more field lines than the limit."
        case .headTooLarge: "The head is larger than the limit."
        case .hostMissing: "The request has no Host field; it must have exactly one."
        case .hostDuplicate: "The request has more than one Host field; it must have exactly one."
        case .hostInvalid: "The Host field is not a host name or address with an optional port."
        case .contentLengthInvalid: "Content-Length is not a sequence of digits."
        case .contentLengthTooLarge: "Content-Length has more than 18 digits."
        case .contentLengthDuplicate: "There is more than one Content-Length field."
        case .contentLengthWithTransferEncoding:
            "There are both Content-Length and Transfer-Encoding; each alone says where to end."
        case .transferEncodingInvalid: "Transfer-Encoding is not exactly \"chunked\"."
        case .transferEncodingUnknown:
            "Transfer-Encoding names a coding other than \"chunked\", the only one known here."
        case .transferEncodingDuplicate: "There is more than one Transfer-Encoding field."
        case .transferEncodingInHTTP10: "An HTTP/1.0 message has Transfer-Encoding."
        case .connectionInvalid: "A Connection option is not a token."
        case .connectionListsFraming:
            "Connection lists a field that frames or routes the message and cannot be removed."
        case .expectationUnknown: "The expectation is not exactly one \"100-continue\"."
        case .maxForwardsInvalid: "Max-Forwards of an OPTIONS request is not exactly one number."
        case .chunkSizeMissing: "A chunk line has no size."
        case .chunkSizeInvalid: "A chunk size has a character that is not a hexadecimal digit."
        case .chunkSizeTooLarge: "A chunk size has more than 16 digits, or is too large to count."
        case .chunkExtensionInvalid: "A chunk extension is not a list of names and values."
        case .chunkExtensionTooLong: "The chunk extensions are together longer than the limit."
        case .chunkLineEndInvalid: "A chunk line does not end with CRLF."
        case .chunkDataEndInvalid: "Chunk data of the given size is not followed by CRLF."
        case .trailerTooLarge: "The trailer section is larger than the limit."
        case .bodyTruncated: "The connection ended before the body did."
        }
    }

    package var reference: String {
        switch self {
        case .requestLineInvalid, .versionMissing: "RFC 9112 §3"
        case .requestLineTooLong: "RFC 9110 §15.5.15"
        case .methodInvalid: "RFC 9110 §9.1"
        case .targetInvalid: "RFC 9112 §3.2"
        case .targetFragment: "RFC 9110 §7.1"
        case .versionInvalid: "RFC 9112 §2.3"
        case .versionUnsupported: "RFC 9110 §15.6.6"
        case .connectRefused: "RFC 9110 §9.3.6"
        case .statusLineInvalid, .statusLineTooLong: "RFC 9112 §4"
        case .statusCodeInvalid: "RFC 9110 §15"
        case .bareLF, .bareCR, .leadingWhitespace: "RFC 9112 §2.2"
        case .nul, .fieldValueControl: "RFC 9110 §5.5"
        case .fieldFolded: "RFC 9112 §5.2"
        case .fieldNameEmpty, .fieldNameInvalid: "RFC 9110 §5.1"
        case .spaceBeforeColon: "RFC 9112 §5.1"
        case .fieldNoColon: "RFC 9112 §5"
        case .fieldLineTooLong, .tooManyFields, .headTooLarge: "RFC 6585 §5"
        case .hostMissing, .hostDuplicate: "RFC 9112 §3.2"
        case .hostInvalid: "RFC 9110 §7.2"
        case .contentLengthInvalid, .contentLengthTooLarge, .contentLengthDuplicate:
            "RFC 9110 §8.6"
        case .contentLengthWithTransferEncoding: "RFC 9112 §6.3"
        case .transferEncodingInvalid, .transferEncodingUnknown, .transferEncodingDuplicate,
            .transferEncodingInHTTP10:
            "RFC 9112 §6.1"
        case .connectionInvalid, .connectionListsFraming: "RFC 9110 §7.6.1"
        case .expectationUnknown: "RFC 9110 §10.1.1"
        case .maxForwardsInvalid: "RFC 9110 §7.6.2"
        case .chunkSizeMissing, .chunkSizeInvalid, .chunkSizeTooLarge, .chunkLineEndInvalid,
            .chunkDataEndInvalid:
            "RFC 9112 §7.1"
        case .chunkExtensionInvalid, .chunkExtensionTooLong: "RFC 9112 §7.1.1"
        case .trailerTooLarge: "RFC 9112 §7.1.2"
        case .bodyTruncated: "RFC 9112 §8"
        }
    }
}
