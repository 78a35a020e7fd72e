extension Advice {
    /// About the type of a body, its framing and its size.
    static let framing = [
        Advice(
            "boundary.missing",
            cause: "The client sets Content-Type: multipart/form-data by hand, so its library "
                + "does not add the boundary.",
            remedy: "Do not set Content-Type yourself; let the library that encodes the form "
                + "set it."
        ),
        Advice(
            "boundary.empty",
            cause: "The variable that should hold the boundary was empty when Content-Type was "
                + "written.",
            remedy: "Take Content-Type from the library that encodes the form."
        ),
        Advice(
            "boundary.too_long",
            cause: "The boundary is made of something long, such as several UUIDs or a hash "
                + "with a prefix.",
            remedy: "Use at most 70 characters; 16 random bytes in hexadecimal are enough."
        ),
        Advice(
            "boundary.invalid_character",
            cause: "The boundary has a character such as a comma, a semicolon or a brace, often "
                + "from base64 or a GUID in braces.",
            remedy: "Make boundaries of letters, digits and dashes only."
        ),
        Advice(
            "boundary.trailing_space",
            cause: "A space was left at the end of the boundary, inside its quotes.",
            remedy: "Trim the boundary before it is written."
        ),
        Advice(
            "boundary.invalid_quoting",
            cause: "The boundary has one of = / : ? and was written without quotes, often "
                + "because it comes from base64.",
            remedy: "Put the boundary in double quotes, or make it of letters, digits and "
                + "dashes only."
        ),
        Advice(
            "boundary.duplicate_parameter",
            cause: "Two layers of the client, such as an application and its HTTP library, each "
                + "added a boundary.",
            remedy: "Let one layer alone write Content-Type."
        ),
        Advice(
            "boundary.continuation_parameter",
            cause: "A mail library wrote the boundary in the extended form of RFC 2231; "
                + "scanners and attackers do so too.",
            remedy: "Write one plain boundary parameter."
        ),
        Advice(
            "boundary.ambiguous_parameter",
            cause: "A parameter such as xboundary stands beside the boundary; attackers add one "
                + "to mislead parsers.",
            remedy: "Remove the parameter."
        ),
        Advice(
            "boundary.parameter_whitespace",
            cause: "Content-Type was put together by hand, with spaces around the equals sign.",
            remedy: "Write boundary=value without spaces."
        ),
        Advice(
            "content_type.invalid",
            cause: "Content-Type was put together by hand and lost its slash, a quote or a "
                + "value.",
            remedy: "Write type/subtype; name=value, or let a library do it."
        ),
        Advice(
            "content_type.missing_semicolon",
            cause: "Content-Type was put together by hand, without the semicolon before a "
                + "parameter.",
            remedy: "Put a semicolon between the media type and each parameter."
        ),
        Advice(
            "content_type.charset",
            cause: "The client declares the charset of its system, such as ISO-8859-1, for the "
                + "whole form.",
            remedy: "Send UTF-8 and leave charset out."
        ),
        Advice(
            "content_type.not_multipart",
            cause: "The client sends a file as it is, or another multipart type than a form.",
            remedy: "Nothing, if that is what the API takes; otherwise send "
                + "multipart/form-data."
        ),
        Advice(
            "content_type.duplicate_header",
            cause: "The application and its HTTP library both set Content-Type.",
            remedy: "Set it in one place only."
        ),
        Advice(
            "content_type.denied",
            cause: "The client sends another type than the route takes, or none.",
            remedy: "Send a type the route accepts, or add this one to contentTypes."
        ),
        Advice(
            "delimiter.missing_first",
            cause: "The body was not encoded as multipart, its boundary differs from the one in "
                + "Content-Type, or it is empty.",
            remedy: "Take body and Content-Type from the same encoder run."
        ),
        Advice(
            "delimiter.trailing_bytes",
            cause: "The boundary is the beginning of a line in a file, or an encoder wrote "
                + "something after it on its line.",
            remedy: "Choose a random boundary for each request, and end its line with CRLF."
        ),
        Advice(
            "delimiter.padding",
            cause: "The encoder leaves a space or tab after the boundary.",
            remedy: "End the line right after the boundary."
        ),
        Advice(
            "delimiter.bare_lf",
            cause: "The body was assembled with \\n line ends, or passed through something that "
                + "converts them.",
            remedy: "End lines with CRLF, and send the body as binary (curl: --data-binary, not "
                + "--data)."
        ),
        Advice(
            "delimiter.bare_cr",
            cause: "The body was assembled with \\r line ends.",
            remedy: "End lines with CRLF."
        ),
        Advice(
            "final_delimiter.missing",
            cause: "The upload was cut short, or the encoder forgot the last boundary with two "
                + "dashes behind it.",
            remedy: "Close the encoder before sending, and check that Content-Length counts all "
                + "of the body."
        ),
        Advice(
            "preamble.present",
            cause: "The encoder writes text or an empty line before the first boundary, as mail "
                + "does.",
            remedy: "Begin the body with two dashes and the boundary."
        ),
        Advice(
            "epilogue.present",
            cause: "The client sends more than the form: a second form, padding, or a "
                + "Content-Length of another request.",
            remedy: "End the body after the last boundary and its two dashes."
        ),
        Advice(
            "line.bare_lf",
            cause: "The header lines were assembled with \\n line ends, or the body passed "
                + "through something that converts them.",
            remedy: "End each line with CRLF, and send the body as binary (curl: --data-binary, "
                + "not --data)."
        ),
        Advice(
            "line.bare_cr",
            cause: "The header lines were assembled with \\r line ends.",
            remedy: "End each line with CRLF."
        ),
        Advice(
            "limit.body",
            cause: "The upload is larger than the route allows.",
            remedy: "Send less, or raise limits.bodyBytes."
        ),
        Advice(
            "limit.parts",
            cause: "The form has more parts than the route allows.",
            remedy: "Send fewer at once, or raise limits.parts."
        ),
        Advice(
            "limit.files",
            cause: "The form has more files than the route allows.",
            remedy: "Send fewer at once, or raise limits.files."
        ),
        Advice(
            "limit.part_size",
            cause: "One part is larger than the route allows.",
            remedy: "Send less, or raise limits.partBytes."
        ),
        Advice(
            "limit.non_file_bytes",
            cause: "Large data is sent as a field, without a filename.",
            remedy: "Give large parts a filename, or raise limits.nonFileBytes."
        ),
        Advice(
            "type.mismatch",
            cause: "The file was renamed, or the client guesses its type by the name.",
            remedy: "Declare what the file is, or application/octet-stream where that is unknown."
        ),
        Advice(
            "type.denied",
            cause: "The route does not accept this kind of file, whatever it is called.",
            remedy: "Send another kind of file, or take the type off deniedTypes."
        ),
        Advice(
            "type.polyglot",
            cause: "An archive, a PDF, a page or a script was put behind the head of a picture, as "
                + "attacks do; or there is something before its head.",
            remedy: "Send the file as its own type, from its first byte."
        ),
        Advice(
            "digest.mismatch",
            cause: "The content changed after its digest was made, or the digest is of something "
                + "else: of the file where the whole form is meant, or before a coding.",
            remedy: "Compute the digest over exactly the bytes that are sent."
        ),
        Advice(
            "digest.malformed",
            cause: "The digest is written in hexadecimal, without its colons, or cut.",
            remedy: "Write it as sha-256=:BASE64: in Content-Digest, as plain base64 elsewhere."
        ),
        Advice(
            "digest.unchecked",
            cause: "The digest is newer, or older, than those that are checked, or comes in a "
                + "trailer field that Trailer did not name.",
            remedy: "State sha-256 or sha-512, and name trailer fields in Trailer."
        ),
        Advice(
            "hash.denied",
            cause: "The very file is on the operator's list of denied hashes.",
            remedy: "Send another file, or take its hash off the list of hashes.deny."
        ),
        Advice(
            "hash.not_allowed",
            cause: "The route takes known files only, and this one is not among them.",
            remedy: "Add its hash to a list of hashes.allow."
        ),
    ]
}
