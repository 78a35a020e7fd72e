internal import Inspection
package import Proxy

/// One route as the configuration has it: what it matches, and what it sets.
///
/// What it sets is kept as values of the catalogue's settings, and laid over the top level once
/// all of that is known: what a route does not say follows options and variables as ever.
package struct RouteConfiguration: Equatable, Sendable {
    package var match = RouteMatch()

    /// Values by key, in the order of the catalogue, as the catalogue writes them.
    package var values: [JSONMember] = []

    package init() {}

    /// The settings that hold for requests of this route.
    package func settings(over base: CommandSettings) -> CommandSettings {
        var settings = base
        for member in values {
            // Each value was read once before; it reads again.
            try? SettingsCatalogue.setting(forKey: member.name)?
                .apply(.json(member.value), &settings)
        }
        return settings
    }

    /// The route as the proxy knows it.
    ///
    /// - Parameters:
    ///   - number: Its place in the list.
    ///   - base: What holds where it says nothing.
    ///   - destination: Where it goes in any case; nil lets it go to its own upstream.
    /// - Returns: The route.
    func route(number: Int, over base: CommandSettings, to destination: Destination?) -> Route {
        let settings = settings(over: base)
        let upstream = settings.upstream.isEmpty ? base.upstream : settings.upstream
        return Route(
            match: match,
            name: match.path ?? "\(number)",
            destination: destination ?? (upstream.isEmpty ? .sink : .upstreams(upstream)),
            policy: settings.proxy.policy
        )
    }

    /// The route as a configuration file has it.
    var json: JSONValue {
        var members: [JSONMember] = []
        if let host = match.host { members.append(JSONMember("host", .string(host))) }
        if !match.methods.isEmpty {
            members.append(JSONMember("methods", .array(match.methods.map { .string($0) })))
        }
        if let path = match.path { members.append(JSONMember("path", .string(path))) }
        for group in Setting.Group.allCases {
            let inner = values.compactMap { member -> JSONMember? in
                guard let setting = SettingsCatalogue.setting(forKey: member.name),
                    setting.group == group
                else { return nil }
                return JSONMember(setting.name, member.value)
            }
            if group == .general {
                members += inner
            } else if !inner.isEmpty {
                members.append(JSONMember(group.rawValue, .object(inner)))
            }
        }
        return .object(members)
    }
}
