/// Which requests a route is for.
///
/// What is not said matches everything. A host is compared without its port, without a dot at its
/// end, and without case; a method exactly; a path by whole segments, so that `/files` is for
/// `/files` and `/files/1` but not for `/filesystem`.
package struct RouteMatch: Equatable, Sendable {
    /// In lower case, without a port; nil is any.
    package var host: String?

    /// Any of these; empty is any.
    package var methods: [String]

    /// The segments that a path begins with; nil is any.
    package var path: String?

    package init(host: String? = nil, methods: [String] = [], path: String? = nil) {
        self.host = host
        self.methods = methods
        self.path = path
    }

    /// Decides for a request whose host has the form that `bareHost` gives it.
    func accepts(host: String, method: String, path: String) -> Bool {
        if let wanted = self.host, wanted != host { return false }
        if !methods.isEmpty, !methods.contains(method) { return false }
        guard let wanted = self.path?.utf8 else { return true }
        let path = path.utf8
        guard path.starts(with: wanted) else { return false }
        let slash = UInt8(ascii: "/")
        return path.count == wanted.count || wanted.last == slash
            || path.dropFirst(wanted.count).first == slash
    }

    /// The host of `authority`: without a port, without a dot at its end, in lower case.
    package static func bareHost(of authority: String) -> String {
        var host = authority[...]
        let afterLiteral = host.lastIndex(of: "]") ?? host.startIndex
        if let colon = host[afterLiteral...].lastIndex(of: ":") { host = host[..<colon] }
        if host.last == "." { host.removeLast() }
        return host.lowercased()
    }
}
