/// One thing an operator can set, by an option, a variable or a configuration key.
package struct Setting: Sendable {
    /// Where a setting belongs; a configuration file nests by it.
    package enum Group: String, CaseIterable, Sendable {
        case general = ""
        case limits
        case timeouts
        case hashes
        case health
    }

    /// The key without its group, `bodyIdle` of `timeouts.bodyIdle`.
    package let name: String
    package let group: Group

    /// What stands after the option in help.
    package let placeholder: String
    package let summary: String
    package let isSwitch: Bool
    package let isList: Bool

    /// True where it has neither an option nor a variable.
    package let isFileOnly: Bool

    /// True if a route may have a value of its own: it says how a request is judged, or where it
    /// goes.
    package let isOfRoutes: Bool

    /// Reads a value into the settings, or says what was expected.
    package let apply:
        @Sendable (SettingInput, inout CommandSettings) throws(SettingExpectation) -> Void

    /// The value as a configuration file would write it.
    package let value: @Sendable (CommandSettings) -> JSONValue

    init<Value>(
        _ key: String,
        _ kind: ValueKind<Value>,
        _ path: any WritableKeyPath<CommandSettings, Value> & Sendable,
        _ summary: String
    ) {
        let pieces = key.split(separator: ".").map(String.init)
        group = pieces.count == 2 ? Group(rawValue: pieces[0]) ?? .general : .general
        name = pieces.last ?? key
        placeholder = kind.placeholder
        self.summary = summary
        isSwitch = kind.isSwitch
        isList = kind.isList
        isFileOnly = kind.isFileOnly
        isOfRoutes = key == "upstream" || CommandSettings.policyHolds(path)
        apply = { input, settings throws(SettingExpectation) in
            settings[keyPath: path] = try kind.read(input)
        }
        value = { kind.write($0[keyPath: path]) }
    }

    /// The configuration key, `timeouts.bodyIdle`.
    package var key: String { group == .general ? name : "\(group.rawValue).\(name)" }

    /// The option, `--timeouts-body-idle`.
    package var option: String { "--" + words.joined(separator: "-") }

    /// The environment variable, `WEIR_TIMEOUTS_BODY_IDLE`.
    package var variable: String { "WEIR_" + words.joined(separator: "_").uppercased() }

    /// The default as text: what `CommandSettings()` holds, so that the two cannot differ.
    package var defaultText: String {
        switch value(CommandSettings()) {
        case .null: "none"
        case .boolean(let value): value ? "on" : "off"
        case .string(let text): text
        case .array([]): emptyIsNone ? "none" : "any"
        case .object([]): "none"
        case .array(let values): values.map { JSONText.bare($0) }.joined(separator: ", ")
        case let other: JSONText.line(other)
        }
    }

    /// An empty list names nothing, where that of a filter lets everything through.
    private var emptyIsNone: Bool {
        isFileOnly || group == .hashes || name == "deniedTypes" || name == "trustedNetworks"
    }

    /// The key cut into words, in lower case: mechanical, so that one name gives the others.
    private var words: [String] {
        var words = group == .general ? [""] : [group.rawValue, ""]
        for letter in name {
            if letter.isUppercase { words.append("") }
            words[words.count - 1] += letter.lowercased()
        }
        return words
    }
}
