import Wire

/// What a request asks for, in one of the four forms of RFC 9112 §3.2.
///
/// The parts are ranges in the head, and nothing in them is decoded or resolved: the upstream
/// gets the path and query that the client sent (RFC 9110 §7.7).
package struct RequestTarget: Sendable, Equatable {
    package enum Form: Sendable {
        /// `/path?query`.
        case origin
        /// `http://host/path?query`; its authority takes the place of Host.
        case absolute
        /// `*`, for OPTIONS only.
        case asterisk
        /// `host:port`, for CONNECT only.
        case authority
    }

    package let form: Form

    /// The whole target.
    package let range: Range<Int>

    /// Host and port, in the absolute and the authority form.
    package let authority: Range<Int>?

    /// The path without the query; empty where the target has none.
    package let path: Range<Int>

    /// What follows the first `?`.
    package let query: Range<Int>?

    /// Finds the form of `bytes[range]`, whose bytes the parser has already found legal.
    ///
    /// The form must fit the method. User information is refused (RFC 9110 §4.2.4), so is any
    /// scheme but `http` and `https`, and a backslash in the path, which some servers read as `/`.
    init(_ range: Range<Int>, of bytes: Span<UInt8>, method: String) throws(HTTPFault) {
        self.range = range
        let start = range.lowerBound
        let target = bytes.extracting(range)

        if method == "CONNECT" {
            if let offence = HostSyntax.firstOffence(in: target, portRequired: true) {
                throw HTTPFault(.targetInvalid, at: start + offence)
            }
            form = .authority
            authority = range
            path = range.upperBound..<range.upperBound
            query = nil
            return
        }
        if target.count == 1, target[0] == UInt8(ascii: "*") {
            guard method == "OPTIONS" else { throw HTTPFault(.targetInvalid, at: start) }
            form = .asterisk
            authority = nil
            path = range
            query = nil
            return
        }

        var rest = range
        if target[0] == UInt8(ascii: "/") {
            form = .origin
            authority = nil
        } else {
            guard let schemeLength = Self.schemeLength(of: target) else {
                throw HTTPFault(.targetInvalid, at: start)
            }
            let host = start + schemeLength
            var end = host
            while end < range.upperBound, bytes[end] != UInt8(ascii: "/"),
                bytes[end] != UInt8(ascii: "?")
            {
                end += 1
            }
            if let offence = HostSyntax.firstOffence(in: bytes.extracting(host..<end)) {
                throw HTTPFault(.targetInvalid, at: host + offence)
            }
            form = .absolute
            authority = host..<end
            rest = end..<range.upperBound
        }

        var end = rest.lowerBound
        while end < rest.upperBound, bytes[end] != UInt8(ascii: "?") {
            if bytes[end] == ASCII.backslash { throw HTTPFault(.targetInvalid, at: end) }
            end += 1
        }
        path = rest.lowerBound..<end
        query = end < rest.upperBound ? end + 1..<rest.upperBound : nil
    }

    /// The length of `http://` or `https://` at the start of `target`, or nil.
    private static func schemeLength(of target: Span<UInt8>) -> Int? {
        for scheme in ["http://", "https://"] where target.count >= scheme.utf8.count {
            let length = scheme.utf8.count
            if target.extracting(first: length).equalsIgnoringCase(scheme) { return length }
        }
        return nil
    }
}
