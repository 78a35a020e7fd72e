internal import Proxy
internal import Wire

/// Reads the list of routes of a configuration file.
struct RouteReader {
    /// Where in the list it reads, as problems name it.
    private let place: String
    private var route = RouteConfiguration()

    static func read(_ input: SettingInput) throws(SettingExpectation) -> [RouteConfiguration] {
        if input == .json(.null) { return [] }
        guard case .json(.array(let elements)) = input else {
            throw SettingExpectation("a list of routes, [{path: \"/files\", …}, …]")
        }
        var routes: [RouteConfiguration] = []
        for (index, element) in elements.enumerated() {
            var reader = RouteReader(place: "routes[\(index)]")
            try reader.read(element)
            routes.append(reader.route)
        }
        return routes
    }

    private init(place: String) {
        self.place = place
    }

    private mutating func read(_ element: JSONValue) throws(SettingExpectation) {
        guard case .object(let members) = element else {
            throw SettingExpectation(because: "\(place) is no object { … }")
        }
        var given: [String: JSONValue] = [:]
        for member in members {
            switch member.name {
            case "host": route.match.host = try host(member.value)
            case "methods": route.match.methods = try methods(member.value)
            case "path": route.match.path = try path(member.value)
            default:
                if case .object(let inner) = member.value,
                    Setting.Group(rawValue: member.name) != nil
                {
                    for entry in inner { given["\(member.name).\(entry.name)"] = entry.value }
                } else {
                    given[member.name] = member.value
                }
            }
        }
        for key in given.keys.sorted() { try checkKey(key) }
        for setting in SettingsCatalogue.all {
            guard let value = given[setting.key] else { continue }
            try read(value, of: setting)
        }
    }

    private mutating func read(
        _ value: JSONValue,
        of setting: Setting
    ) throws(SettingExpectation) {
        var scratch = CommandSettings()
        do throws(SettingExpectation) {
            try setting.apply(.json(value), &scratch)
        } catch {
            let found = SettingInput.json(value).quoted
            throw SettingExpectation(
                because: "\(place).\(setting.key): found \(found)\(error.sentenceEnd)"
            )
        }
        // Written as the catalogue writes it, so that equal routes are equal.
        route.values.append(JSONMember(setting.key, setting.value(scratch)))
    }

    private func checkKey(_ key: String) throws(SettingExpectation) {
        let keys = SettingsCatalogue.all.filter(\.isOfRoutes).map(\.key)
        if keys.contains(key) { return }
        if SettingsCatalogue.setting(forKey: key) != nil {
            throw SettingExpectation(
                because: "\(place): \(key) holds for all routes; set it at the top level"
            )
        }
        let meant = Suggestion.nearest(to: key, among: keys + ["host", "methods", "path"])
        throw SettingExpectation(
            because: "\(place): unknown key \(key)"
                + (meant.map { "; did you mean \($0)?" } ?? "")
        )
    }

    private func host(_ value: JSONValue) throws(SettingExpectation) -> String {
        guard case .string(let text) = value, !text.isEmpty, !text.contains("/"),
            RouteMatch.bareHost(of: text) == text.lowercased()
        else { throw refusal("host", value, "a host without a port") }
        return text.lowercased()
    }

    private func methods(_ value: JSONValue) throws(SettingExpectation) -> [String] {
        let expected = "methods, as in [\"POST\", \"PUT\"]"
        guard let texts = SettingInput.json(value).texts, !texts.isEmpty else {
            throw refusal("methods", value, expected)
        }
        for text in texts
        where text.isEmpty || !text.utf8.allSatisfy(ByteClass.token.contains)
            || text != text.uppercased()
        {
            throw refusal("methods", value, expected)
        }
        return texts
    }

    private func path(_ value: JSONValue) throws(SettingExpectation) -> String {
        let forbidden: Set<Character> = ["?", "#", " ", "%", ";", "*"]
        guard case .string(let text) = value, text.hasPrefix("/"), !text.contains("//"),
            !text.contains(where: forbidden.contains)
        else {
            throw refusal("path", value, "the first segments of a path, as in \"/files\"")
        }
        return text
    }

    private func refusal(
        _ key: String,
        _ value: JSONValue,
        _ expected: String
    ) -> SettingExpectation {
        let found = SettingInput.json(value).quoted
        return SettingExpectation(because: "\(place).\(key): found \(found), expected \(expected)")
    }
}

extension ValueKind where Value == [RouteConfiguration] {
    static var routes: ValueKind {
        ValueKind(
            placeholder: "LIST",
            read: { input throws(SettingExpectation) in try RouteReader.read(input) },
            write: { .array($0.map(\.json)) },
            isList: true,
            isFileOnly: true
        )
    }
}
