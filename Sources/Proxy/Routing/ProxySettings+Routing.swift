package import HTTP1
internal import Inspection

extension ProxySettings {
    /// What becomes of a request whose path may be read as that of another route.
    package enum Ambiguity {
        /// It may not.
        case none
        /// Both routes only watch.
        case noted
        case refused
    }

    /// The settings that hold for `request`, and whether its route is ambiguous.
    package func routed(
        for request: RequestHead
    ) -> (settings: ProxySettings, ambiguity: Ambiguity) {
        let (index, ambiguity) = route(of: request)
        return (taking(index), ambiguity)
    }

    /// Which route `request` takes, nil for none, and whether that is ambiguous.
    func route(of request: RequestHead) -> (index: Int?, ambiguity: Ambiguity) {
        guard !routes.isEmpty else { return (nil, .none) }
        let choice = routes.choice(
            authority: request.host ?? "",
            method: request.method,
            path: request.path
        )
        switch choice {
        case .route(let index):
            return (index, .none)
        case .ambiguous(let sent, let read):
            let enforces = policy(of: sent).mode == .enforce || policy(of: read).mode == .enforce
            return (sent, enforces ? .refused : .noted)
        }
    }

    private func policy(of index: Int?) -> InspectionPolicy {
        index.map { routes.routes[$0].policy } ?? policy
    }

    /// These settings, as they hold on one of the routes.
    func taking(_ index: Int?) -> ProxySettings {
        guard let index else { return self }
        let route = routes.routes[index]
        var settings = self
        settings.policy = route.policy
        settings.destination = route.destination
        settings.routeName = route.name
        return settings
    }

    /// All policies that may hold for a request.
    var policies: [InspectionPolicy] { [policy] + routes.routes.map(\.policy) }

    /// All servers that a request may go to, each once.
    var destinations: [Destination] {
        var all = [destination]
        for route in routes.routes where !all.contains(route.destination) {
            all.append(route.destination)
        }
        return all
    }
}
