internal import Wire

/// A place in a contract: the names on the way to it, and how values there are read.
struct RulePlace: CustomStringConvertible {
    /// Beyond any upload.
    private static let largest = 1 << 50

    let description: String

    init(_ path: String) { description = path }

    static func + (place: RulePlace, name: String) -> RulePlace {
        RulePlace("\(place).\(name)")
    }

    func refusal(_ value: JSONValue, _ expected: String) -> SettingExpectation {
        let found = SettingInput.json(value).quoted
        return SettingExpectation(because: "\(self): found \(found), expected \(expected)")
    }

    /// What says that there is no such key here.
    func unknown(_ name: String, among keys: [String]) -> SettingExpectation {
        let meant = Suggestion.nearest(to: name, among: keys).map { "; did you mean \($0)?" }
        let shown = description.isEmpty ? "" : "\(self): "
        return SettingExpectation(because: "\(shown)unknown key \(name)\(meant ?? "")")
    }

    func word(_ value: JSONValue, among words: [String]) throws(SettingExpectation) -> String {
        let expected = words.map { "\"\($0)\"" }.joined(separator: " or ")
        let word = try text(value, expected)
        guard words.contains(word) else { throw refusal(value, expected) }
        return word
    }

    func text(_ value: JSONValue, _ expected: String) throws(SettingExpectation) -> String {
        guard case .string(let text) = value else { throw refusal(value, expected) }
        return text
    }

    func boolean(_ value: JSONValue) throws(SettingExpectation) -> Bool {
        guard case .boolean(let answer) = value else { throw refusal(value, "true or false") }
        return answer
    }

    /// A number of parts; nil for any number.
    func count(_ value: JSONValue) throws(SettingExpectation) -> Int? {
        if value == .string("unlimited") { return nil }
        guard case .integer(let count) = value, (1...100_000).contains(count) else {
            throw refusal(value, "a whole number from 1 to 100000, or \"unlimited\"")
        }
        return count
    }

    /// A number of bytes; nil for any number.
    func size(_ value: JSONValue) throws(SettingExpectation) -> Int? {
        let bytes: Int?
        switch value {
        case .string("unlimited"): return nil
        case .integer(let count): bytes = count
        case .string(let text): bytes = SizeText.parse(text)
        default: bytes = nil
        }
        guard let bytes, (0...Self.largest).contains(bytes) else {
            throw refusal(value, "a size, in bytes or with a unit as in \"64KiB\"")
        }
        return bytes
    }

    /// Media types and families of them, in lower case.
    func mediaTypes(_ value: JSONValue) throws(SettingExpectation) -> [String] {
        let expected = "media types, or families, as in [\"application/pdf\", \"image/*\"]"
        return try list(value, expected) { MediaTypeText.isTypeOrFamily($0) }
    }

    /// Types a file can begin like and families of them, by the names the sniffer has for them.
    func sniffedTypes(_ value: JSONValue) throws(SettingExpectation) -> [String] {
        var types: [String] = []
        for type in try mediaTypes(value) {
            do throws(SniffedTypeName.Refusal) {
                try types.append(SniffedTypeName.canonical(type, orGroup: false))
            } catch {
                throw SettingExpectation(because: "\(self): \(error.sentence)")
            }
        }
        return types
    }

    /// Ends of filenames, in lower case, without the dot.
    func extensions(_ value: JSONValue) throws(SettingExpectation) -> [String] {
        try list(value, "extensions without a dot before them, as in [\"jpg\", \"tar.gz\"]") {
            !$0.isEmpty && !$0.hasPrefix(".") && !$0.hasSuffix(".") && !$0.contains("*")
                && !$0.contains("/") && !$0.contains("\\")
        }
    }

    private func list(
        _ value: JSONValue,
        _ expected: String,
        where isAllowed: (String) -> Bool
    ) throws(SettingExpectation) -> [String] {
        guard case .array = value, let texts = SettingInput.json(value).texts, !texts.isEmpty,
            texts.allSatisfy(isAllowed)
        else { throw refusal(value, expected) }
        return texts.map { $0.lowercased() }
    }
}

/// Media types as settings write them.
enum MediaTypeText {
    /// True for `type/subtype` of two tokens, and for `type/*`.
    static func isTypeOrFamily(_ text: String) -> Bool {
        let halves = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard halves.count == 2, isName(halves[0]) else { return false }
        return isName(halves[1]) || halves[1].elementsEqual("*".utf8)
    }

    private static func isName(_ text: Substring.UTF8View) -> Bool {
        !text.isEmpty
            && text.allSatisfy { ByteClass.token.contains($0) && $0 != UInt8(ascii: "*") }
    }
}
