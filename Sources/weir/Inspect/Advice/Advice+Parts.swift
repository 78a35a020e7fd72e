extension Advice {
    /// About the parts of a body.
    static let parts = [
        Advice(
            "part_header.no_colon",
            cause: "A line of content stands among the headers, mostly because the empty line "
                + "after them is missing.",
            remedy: "Put an empty line between the headers of a part and its content."
        ),
        Advice(
            "part_header.bad_name",
            cause: "A header name has a space or a character outside ASCII, or the empty line "
                + "before the content is missing.",
            remedy: "Use only letters, digits and dashes in header names."
        ),
        Advice(
            "part_header.space_before_colon",
            cause: "The headers were put together by hand with a space before the colon.",
            remedy: "Write the colon right after the name."
        ),
        Advice(
            "part_header.control",
            cause: "A value, often a filename, was put into a header without being escaped.",
            remedy: "Remove control characters from what goes into headers."
        ),
        Advice(
            "part_header.nul",
            cause: "A string was written with its terminator, or the file's content began among "
                + "the headers.",
            remedy: "Write strings by their length without the NUL."
        ),
        Advice(
            "part_header.folded",
            cause: "A mail library folds long header lines.",
            remedy: "Write each header on one line (in Python's email package: policy HTTP)."
        ),
        Advice(
            "part_header.duplicate",
            cause: "Application and library both write the same header of the part.",
            remedy: "Write each header once."
        ),
        Advice(
            "part_header.line_too_long",
            cause: "A very long filename or a value that belongs into the content was put into "
                + "a header.",
            remedy: "Shorten it, or raise limits.partHeaderLineBytes."
        ),
        Advice(
            "part_header.block_too_large",
            cause: "The headers of a part carry metadata that belongs into a field.",
            remedy: "Send metadata as a field of its own, or raise limits.partHeaderBytes."
        ),
        Advice(
            "part_header.too_many",
            cause: "The headers of a part carry metadata that belongs into fields.",
            remedy: "Send metadata as fields, or raise limits.partHeaderFields."
        ),
        Advice(
            "part_header.invalid_utf8",
            cause: "A header value was written in the charset of the client's system.",
            remedy: "Encode header values in UTF-8."
        ),
        Advice(
            "part_header.bad_content_type",
            cause: "The media type of a part is an extension, a description or empty, not "
                + "type/subtype.",
            remedy: "Send a media type such as image/png, or leave the header out."
        ),
        Advice(
            "disposition.missing",
            cause: "The parts were made for mail or multipart/mixed, or their headers were "
                + "lost.",
            remedy: "Add Content-Disposition: form-data; name=\"…\" to each part."
        ),
        Advice(
            "disposition.not_form_data",
            cause: "The part says attachment or inline, as in mail.",
            remedy: "Write form-data as the disposition of each part."
        ),
        Advice(
            "disposition.name_missing",
            cause: "The form field has no name, as an input element without a name attribute.",
            remedy: "Give each field a name."
        ),
        Advice(
            "disposition.duplicate_parameter",
            cause: "A name or filename was added twice, or a quote in a filename was not "
                + "escaped; attackers do so to mislead parsers.",
            remedy: "Write each parameter once, and a quote in a filename as %22."
        ),
        Advice(
            "disposition.unknown_parameter",
            cause: "The client adds size, creation-date or the like, as in mail.",
            remedy: "Leave out all parameters but name and filename."
        ),
        Advice(
            "disposition.invalid",
            cause: "The disposition was put together by hand and lost a quote, an equals sign "
                + "or a value.",
            remedy: "Write form-data; name=\"…\"; filename=\"…\"."
        ),
        Advice(
            "disposition.invalid_quoting",
            cause: "A filename with a quote or a backslash was put between quotes as it is, or "
                + "single quotes were used.",
            remedy: "Use double quotes, and write a quote inside them as %22."
        ),
        Advice(
            "disposition.missing_semicolon",
            cause: "The disposition was put together by hand without a semicolon between "
                + "parameters.",
            remedy: "Put a semicolon before each parameter."
        ),
        Advice(
            "disposition.empty_parameter",
            cause: "The disposition was put together with a semicolon behind each parameter, or "
                + "with an optional parameter left empty.",
            remedy: "Put a semicolon between parameters only."
        ),
        Advice(
            "disposition.encoded_word",
            cause: "A mail library encoded a name that is not ASCII as =?utf-8?…?=.",
            remedy: "Send the name in UTF-8 as it is."
        ),
        Advice(
            "disposition.extended_filename",
            cause: "The client writes filename* alone, which is for responses, not for forms.",
            remedy: "Send filename in UTF-8 as it is."
        ),
        Advice(
            "disposition.extended_filename_equal",
            cause: ".NET writes filename* beside filename.",
            remedy: "Nothing; both say the same."
        ),
        Advice(
            "disposition.extended_filename_mismatch",
            cause: "The client replaces what is not ASCII in filename and has the whole name in "
                + "filename*; attackers make them differ.",
            remedy: "Send the same name in both, or filename alone in UTF-8."
        ),
        Advice(
            "disposition.extended_parameter",
            cause: "The client splits or encodes parameters as RFC 2231 has it for mail.",
            remedy: "Send name and filename in UTF-8, each in one piece."
        ),
        Advice(
            "filename.path",
            cause: "The client sends the path it read the file from, or tries to leave the "
                + "folder of uploads.",
            remedy: "Send the last component of the path only."
        ),
        Advice(
            "filename.control",
            cause: "The filename has a line end, an escape or another control character, by "
                + "accident or to mislead.",
            remedy: "Remove control characters from filenames."
        ),
        Advice(
            "filename.bidi",
            cause: "The filename has a character that turns the direction of text, which makes "
                + "exe.jpg of gpj.exe.",
            remedy: "Remove direction marks from filenames."
        ),
        Advice(
            "filename.too_long",
            cause: "The filename is longer than a file system would take.",
            remedy: "Shorten it, or raise limits.filenameBytes."
        ),
        Advice(
            "filename.empty",
            cause: "A file input of a form was left empty.",
            remedy: "Nothing; a browser does so."
        ),
        Advice(
            "filename.invalid_utf8",
            cause: "The filename was written in the charset of the client's system.",
            remedy: "Encode filenames in UTF-8."
        ),
        Advice(
            "name.too_long",
            cause: "Something other than a name was used as the name of a field.",
            remedy: "Shorten it, or raise limits.nameBytes."
        ),
        Advice(
            "name.invalid_utf8",
            cause: "The field name was written in the charset of the client's system.",
            remedy: "Encode names in UTF-8."
        ),
        Advice(
            "part.bodyless",
            cause: "The encoder leaves out the empty line, or the line end, of a part without "
                + "content.",
            remedy: "Write CRLF CRLF after the headers and CRLF before the next boundary, also "
                + "around nothing."
        ),
        Advice(
            "part.transfer_encoding",
            cause: "A mail library encodes content as base64 or quoted-printable.",
            remedy: "Send content as it is, and leave Content-Transfer-Encoding out."
        ),
        Advice(
            "part.charset",
            cause: "The part declares UTF-7, UTF-16 or EBCDIC, by which filters that look at "
                + "bytes are passed by.",
            remedy: "Send text in UTF-8."
        ),
        Advice(
            "part.charset_field",
            cause: "A form has the hidden field _charset_, which browsers fill with the charset "
                + "they use.",
            remedy: "Nothing, unless the API takes the charset from it."
        ),
        Advice(
            "part.nested_multipart",
            cause: "Several files of one field are sent as multipart/mixed inside a part, as "
                + "old browsers did, or a mail is attached.",
            remedy: "Send each file as a part of its own, or set nestedDepth."
        ),
        Advice(
            "part.content_length_mismatch",
            cause: "The client counts characters instead of bytes, or counts before it changes "
                + "line ends.",
            remedy: "Leave Content-Length out of parts."
        ),
    ]
}
