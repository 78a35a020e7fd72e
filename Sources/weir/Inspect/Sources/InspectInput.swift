/// How the bytes to inspect lie in the file that was given.
package enum InspectInput {
    /// As they are: a body, or a request.
    case plain
    /// In a dump of curl.
    case trace(CurlTraceDecoder)
    /// In an HTTP archive.
    case archive

    /// Decides for a file that begins with `bytes`; one whose type is given is a body.
    package init(beginning bytes: ArraySlice<UInt8>, contentType: String?) {
        if contentType != nil {
            self = .plain
        } else if CurlTraceDecoder.matches(bytes) {
            self = .trace(CurlTraceDecoder())
        } else if HTTPArchive.matches(bytes) {
            self = .archive
        } else {
            self = .plain
        }
    }
}
