#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

/// A configuration file, read but not yet understood: keys with values and the lines they are on.
///
/// The format is JSON5, so that it may be commented.
package struct ConfigurationFile: Sendable {
    package struct Entry: Equatable, Sendable {
        package let key: String
        package let value: JSONValue
        package let line: Int?
    }

    package let name: String

    /// The entries of the file, those of a group with their group's name before theirs.
    package let entries: [Entry]

    /// Reads `text`; `name` is what problems call the file.
    package init(text: String, name: String) throws(UsageProblems) {
        self.name = name
        let outline = ConfigurationOutline(of: text)
        let shown = TerminalText.escaped(name)
        guard let root = Self.decode(text) else {
            let place = outline.failure.map { ", line \($0.line), column \($0.column)" } ?? ""
            let reason = outline.failure?.reason ?? "this is not JSON5"
            throw UsageProblems([UsageProblem("\(shown)\(place): \(reason)")])
        }
        guard case .object(let members) = root else {
            throw UsageProblems([
                UsageProblem("\(shown): found \(root.kindName), expected an object { … }")
            ])
        }
        // Of two equal names the decoder keeps one, and the other is never read: refused, because
        // the reader of the file may take the wrong one for the one that counts.
        guard outline.duplicates.isEmpty else {
            throw UsageProblems(
                outline.duplicates.map { key, line in
                    let key = TerminalText.escaped(key)
                    return UsageProblem("\(shown), line \(line): \(key) is set a second time")
                }
            )
        }
        entries = Self.flatten(members, outline)
    }

    private static func decode(_ text: String) -> JSONValue? {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = true
        return try? decoder.decode(JSONValue.self, from: Data(text.utf8))
    }

    private static func flatten(
        _ members: [JSONMember],
        _ outline: ConfigurationOutline
    ) -> [Entry] {
        var entries: [Entry] = []
        for member in members {
            if case .object(let inner) = member.value,
                Setting.Group(rawValue: member.name) != nil
            {
                entries += inner.map { entry in
                    let key = "\(member.name).\(entry.name)"
                    return Entry(key: key, value: entry.value, line: outline.lines[key])
                }
            } else {
                let line = outline.lines[member.name]
                entries.append(Entry(key: member.name, value: member.value, line: line))
            }
        }
        return entries.sorted { ($0.line ?? 0) < ($1.line ?? 0) }
    }
}

extension JSONValue {
    /// What a reader would call it.
    var kindName: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
