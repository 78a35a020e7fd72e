internal import Inspection

/// A name for what files begin like, as settings write it.
///
/// A name that no file is ever found to begin like would deny nothing, or let in nothing, without a
/// word: it is refused.
enum SniffedTypeName {
    /// Why a name is refused, in a sentence without its full stop.
    struct Refusal: Error, Equatable {
        let sentence: String
    }

    /// The name the sniffer has for a type or a family, or the group, in lower case.
    static func canonical(_ text: String, orGroup: Bool) throws(Refusal) -> String {
        let name = text.lowercased()
        let groups = orGroup ? FileTypes.groups.map(\.name) : []
        if groups.contains(name) { return name }
        let type = FileTypes.canonical(name)
        if FileTypes.all.contains(type) || families.contains(type) { return type }
        let known = FileTypes.all + families + groups
        let meant =
            hint(for: name, orGroup: orGroup) ?? known.first { $0.hasSuffix("/\(name)") }
            ?? Suggestion.nearest(to: name, among: known)
        let end = meant.map { "; did you mean \($0)?" } ?? "; README lists those that are"
        throw Refusal(sentence: "\(name) is no type that files are known to begin like\(end)")
    }

    private static let families: [String] = {
        let every = FileTypes.all.map { type in type.prefix { $0 != "/" } + "/*" }
        return Set(every).map { String($0) }.sorted()
    }()

    /// Names that are wider than the one type nearest to them.
    private static func hint(for name: String, orGroup: Bool) -> String? {
        switch name {
        case "application/x-executable", "application/x-sharedlib", "application/x-binary":
            orGroup ? "executable" : "application/x-elf"
        case "executables", "programs", "program", "binary": orGroup ? "executable" : nil
        case "application/javascript", "text/javascript", "application/x-javascript":
            "text/plain, which is what a script without a first line of its own begins like"
        case "application/msword", "application/vnd.ms-excel", "application/vnd.ms-powerpoint",
            "application/vnd.ms-outlook", "application/x-msi":
            "application/x-ole-storage"
        default: nil
        }
    }
}

extension ValueKind where Value == [String] {
    /// Types that files begin like, families and groups of them; an empty list, or the word `none`,
    /// denies nothing.
    static var deniedTypes: ValueKind {
        let expectation = SettingExpectation(
            "media types such as \"text/html\", families such as \"image/*\", or groups such as "
                + "\"executable\""
        )
        return ValueKind(
            placeholder: "TYPE",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts else { throw expectation }
                if texts == ["none"] { return [] }
                var types: [String] = []
                for text in texts {
                    guard !text.isEmpty, text.utf8.count <= 127 else { throw expectation }
                    do throws(SniffedTypeName.Refusal) {
                        try types.append(SniffedTypeName.canonical(text, orGroup: true))
                    } catch {
                        throw SettingExpectation(because: error.sentence)
                    }
                }
                return types
            },
            write: { .array($0.map { .string($0) }) },
            isList: true
        )
    }
}
