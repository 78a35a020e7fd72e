extension Advice {
    /// About the request around a body.
    static let request = [
        Advice(
            "http.request_line_invalid",
            cause: "The file is no HTTP/1.1 request, or has an unescaped space in its target.",
            remedy: "Save the request as it was sent, and percent-encode spaces in the target."
        ),
        Advice(
            "http.request_line_too_long",
            cause: "Data that belongs into the body was put into the query.",
            remedy: "Send it in the body, or raise limits.requestLineBytes."
        ),
        Advice(
            "http.method_invalid",
            cause: "The method has a character outside letters and a few signs, often a byte "
                + "order mark before it.",
            remedy: "Begin the request with a plain method such as POST."
        ),
        Advice(
            "http.target_invalid",
            cause: "The target is not a path, or has a backslash or an unescaped character.",
            remedy: "Send a path that begins with a slash, percent-encoded where needed."
        ),
        Advice(
            "http.target_fragment",
            cause: "The client sends the #fragment of a URL.",
            remedy: "Cut the URL before #."
        ),
        Advice(
            "http.version_missing",
            cause: "The request line ends after the target, as in HTTP/0.9.",
            remedy: "Add HTTP/1.1 to the request line."
        ),
        Advice(
            "http.version_invalid",
            cause: "The version is misspelt, or the target has an unescaped space.",
            remedy: "End the request line with HTTP/1.1."
        ),
        Advice(
            "http.version_unsupported",
            cause: "The request was saved from HTTP/2 or later.",
            remedy: "Save it in the form of HTTP/1.1 (curl: --http1.1)."
        ),
        Advice(
            "http.connect_refused",
            cause: "The client takes Weir for a forward proxy.",
            remedy: "Send requests to it as to the API itself."
        ),
        Advice(
            "http.status_line_invalid",
            cause: "The file is a response of a server that does not speak HTTP/1.1.",
            remedy: "Inspect the request, not the response."
        ),
        Advice(
            "http.status_line_too_long",
            cause: "The file is a response with a very long reason.",
            remedy: "Inspect the request, not the response."
        ),
        Advice(
            "http.status_code_invalid",
            cause: "The file is a response with a status that does not exist.",
            remedy: "Inspect the request, not the response."
        ),
        Advice(
            "http.bare_lf",
            cause: "The request was written with \\n line ends, or saved by an editor that "
                + "converts them.",
            remedy: "End lines with CRLF, and save requests as binary."
        ),
        Advice(
            "http.bare_cr",
            cause: "The request was written with \\r line ends.",
            remedy: "End lines with CRLF."
        ),
        Advice(
            "http.nul",
            cause: "A string was written with its terminator, or this is no HTTP request.",
            remedy: "Write strings by their length without the NUL."
        ),
        Advice(
            "http.leading_whitespace",
            cause: "The first header line is indented.",
            remedy: "Begin each header line in the first column."
        ),
        Advice(
            "http.field_folded",
            cause: "The client folds long header lines, as was allowed long ago.",
            remedy: "Write each header on one line."
        ),
        Advice(
            "http.field_name_empty",
            cause: "A header line begins with a colon, mostly because its name was an empty "
                + "variable.",
            remedy: "Write a name before the colon."
        ),
        Advice(
            "http.field_name_invalid",
            cause: "A header name has a space or a character outside ASCII.",
            remedy: "Use only letters, digits and dashes in header names."
        ),
        Advice(
            "http.space_before_colon",
            cause: "The headers were put together by hand with a space before the colon; "
                + "attackers smuggle fields so.",
            remedy: "Write the colon right after the name."
        ),
        Advice(
            "http.field_no_colon",
            cause: "The empty line between head and body is missing, or a header lost its "
                + "colon.",
            remedy: "Put an empty line after the headers."
        ),
        Advice(
            "http.field_value_control",
            cause: "A value was put into a header without being escaped.",
            remedy: "Remove control characters from header values."
        ),
        Advice(
            "http.field_line_too_long",
            cause: "A very large cookie or token.",
            remedy: "Shorten it, or raise limits.fieldLineBytes."
        ),
        Advice(
            "http.too_many_fields",
            cause: "The client or a proxy adds a field for each item of something.",
            remedy: "Join them, or raise limits.fields."
        ),
        Advice(
            "http.head_too_large",
            cause: "Large or many cookies.",
            remedy: "Shorten them, or raise limits.headBytes."
        ),
        Advice(
            "http.host_missing",
            cause: "The request was written by hand.",
            remedy: "Add a Host header."
        ),
        Advice(
            "http.host_duplicate",
            cause: "Application and library both set Host; attackers do so to be routed "
                + "elsewhere.",
            remedy: "Send Host once."
        ),
        Advice(
            "http.host_invalid",
            cause: "Host has a URL or a path in it instead of a name.",
            remedy: "Send the host name, and the port if it is not the usual one."
        ),
        Advice(
            "http.content_length_invalid",
            cause: "Content-Length has a sign, a unit or a comma in it.",
            remedy: "Write the number of bytes of the body in digits."
        ),
        Advice(
            "http.content_length_too_large",
            cause: "Content-Length was computed from a variable that overflowed.",
            remedy: "Write the number of bytes of the body."
        ),
        Advice(
            "http.content_length_duplicate",
            cause: "Application and library both set Content-Length; attackers smuggle requests "
                + "so.",
            remedy: "Let the library set it."
        ),
        Advice(
            "http.content_length_with_transfer_encoding",
            cause: "The application sets Content-Length and its library sends chunks; attackers "
                + "smuggle requests so.",
            remedy: "Use one of them."
        ),
        Advice(
            "http.transfer_encoding_invalid",
            cause: "Transfer-Encoding is misspelt or lists chunked with something else.",
            remedy: "Write exactly chunked, or leave it out."
        ),
        Advice(
            "http.transfer_encoding_unknown",
            cause: "The client compresses with a transfer coding.",
            remedy: "Send the body as it is; Content-Encoding is for compression."
        ),
        Advice(
            "http.transfer_encoding_duplicate",
            cause: "Application and library both set Transfer-Encoding.",
            remedy: "Let the library set it."
        ),
        Advice(
            "http.transfer_encoding_in_http_1_0",
            cause: "The client says HTTP/1.0 but sends chunks.",
            remedy: "Say HTTP/1.1, or send Content-Length."
        ),
        Advice(
            "http.connection_invalid",
            cause: "Connection has something other than names in it.",
            remedy: "Send close, keep-alive, or nothing."
        ),
        Advice(
            "http.connection_lists_framing",
            cause: "Connection names Content-Length, Host or the like, so that a proxy would "
                + "remove it; attackers do so.",
            remedy: "Send close, keep-alive, or nothing."
        ),
        Advice(
            "http.expectation_unknown",
            cause: "Expect has something other than 100-continue.",
            remedy: "Leave Expect out."
        ),
        Advice(
            "http.max_forwards_invalid",
            cause: "An OPTIONS request has something other than one number in Max-Forwards.",
            remedy: "Leave Max-Forwards out, or write one whole number."
        ),
        Advice(
            "http.chunk_size_missing",
            cause: "The client sends an empty line where the size of a chunk belongs.",
            remedy: "Write the size of each chunk in hexadecimal before it."
        ),
        Advice(
            "http.chunk_size_invalid",
            cause: "The body is not chunked although the head says so, or a chunk's size was "
                + "wrong.",
            remedy: "Let an HTTP library write the chunks."
        ),
        Advice(
            "http.chunk_size_too_large",
            cause: "The size of a chunk is garbage, mostly because the one before it was wrong.",
            remedy: "Let an HTTP library write the chunks."
        ),
        Advice(
            "http.chunk_extension_invalid",
            cause: "Something stands after the size of a chunk; attackers hide requests there.",
            remedy: "End the line right after the size."
        ),
        Advice(
            "http.chunk_extension_too_long",
            cause: "The client signs or pads its chunks in extensions.",
            remedy: "Leave extensions out, or raise limits.chunkExtensionBytes."
        ),
        Advice(
            "http.chunk_line_end_invalid",
            cause: "The chunks were written with \\n line ends.",
            remedy: "End the lines of chunks with CRLF."
        ),
        Advice(
            "http.chunk_data_end_invalid",
            cause: "The size of a chunk is not the number of its bytes, often characters "
                + "counted for bytes.",
            remedy: "Count bytes, or let an HTTP library write the chunks."
        ),
        Advice(
            "http.trailer_too_large",
            cause: "The client sends large trailers.",
            remedy: "Send them as headers, or raise limits.trailerBytes."
        ),
        Advice(
            "http.body_truncated",
            cause: "The upload was cut short, or the file was saved before its end.",
            remedy: "Send or save the whole request; check that Content-Length counts bytes."
        ),
        Advice(
            "http.head_truncated",
            cause: "The file was saved before the end of the head.",
            remedy: "Save the whole request, with the empty line after its head."
        ),
    ]
}
