internal import Transport

/// The upstream as operators write it: `http://HOST[:PORT]` or `unix:/path`.
///
/// It names a server and nothing more. A path would have to be joined with each request's own,
/// and the bytes of a request-target are not Weir's to change.
enum UpstreamURL {
    static let expectation = SettingExpectation(
        "the URL of a server, http://HOST:PORT without a path, or unix:/path"
    )

    static func parse(_ text: String) throws(SettingExpectation) -> Address {
        if text.hasPrefix("unix:") { return try address(text) }
        let scheme = "http://"
        guard text.lowercased().hasPrefix(scheme) else { throw expectation }
        var authority = text.dropFirst(scheme.count)
        if authority.last == "/" { authority.removeLast() }
        let forbidden: Set<Character> = ["/", "?", "#", "@", " "]
        guard !authority.isEmpty, !authority.contains(where: forbidden.contains) else {
            throw expectation
        }
        return try address(hasPort(authority) ? String(authority) : "\(authority):80")
    }

    static func text(of address: Address) -> String {
        let text = address.description
        return text.hasPrefix("unix:") ? text : "http://\(text)"
    }

    /// True if a colon follows the host, which may be an IPv6 literal in brackets.
    private static func hasPort(_ authority: Substring) -> Bool {
        let afterHost = authority.lastIndex(of: "]") ?? authority.startIndex
        return authority[afterHost...].contains(":")
    }
}
