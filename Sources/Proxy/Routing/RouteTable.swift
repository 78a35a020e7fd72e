/// The routes in their order, of which the first that matches a request is its own.
///
/// Routes are chosen by the path as it was sent. An upstream may decode and tidy a path before it
/// chooses, so that `/public/../files` or `/%66iles` takes the way of `/files` there; a request
/// whose two forms take two different routes here is therefore ambiguous.
package struct RouteTable: Equatable, Sendable {
    /// Which route a request takes; nil is none, and what stands at the top level holds.
    package enum Choice: Equatable {
        case route(Int?)
        /// By the path as sent it is the first, as an upstream may read it the second.
        case ambiguous(Int?, Int?)
    }

    package var routes: [Route]

    package init(_ routes: [Route] = []) {
        self.routes = routes
    }

    package var isEmpty: Bool { routes.isEmpty }

    /// Chooses for a request with this authority (host and port), method and path, all as sent.
    package func choice(authority: String, method: String, path: String) -> Choice {
        guard !routes.isEmpty else { return .route(nil) }
        let host = RouteMatch.bareHost(of: authority)
        let sent = index(host, method, path.isEmpty ? "/" : path)
        guard let tidy = TidyPath.text(of: path) else { return .route(sent) }
        let read = index(host, method, tidy)
        return read == sent ? .route(sent) : .ambiguous(sent, read)
    }

    private func index(_ host: String, _ method: String, _ path: String) -> Int? {
        routes.firstIndex { $0.match.accepts(host: host, method: method, path: path) }
    }
}
