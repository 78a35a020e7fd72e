internal import Audit
internal import Digest
internal import Transport
internal import Wire

extension ValueKind where Value == Int {
    /// A number of bytes.
    static func size(_ range: ClosedRange<Int>) -> ValueKind {
        let expectation = SettingExpectation(
            "a size from \(SizeText.exact(range.lowerBound)) to \(SizeText.exact(range.upperBound)),"
                + " in bytes or with a unit as in \"64KiB\""
        )
        return ValueKind(
            placeholder: "SIZE",
            read: { input throws(SettingExpectation) in
                guard let value = bytes(input), range.contains(value) else { throw expectation }
                return value
            },
            write: sizeValue
        )
    }

    /// A whole number of things.
    static func count(_ range: ClosedRange<Int>) -> ValueKind {
        let expectation = SettingExpectation(
            "a whole number from \(range.lowerBound) to \(range.upperBound)"
        )
        return ValueKind(
            placeholder: "COUNT",
            read: { input throws(SettingExpectation) in
                guard let value = wholeNumber(input), range.contains(value) else {
                    throw expectation
                }
                return value
            },
            write: { .integer($0) }
        )
    }
}

extension ValueKind where Value == Int? {
    /// A number of bytes, or `word` (in a file also null) for none.
    static func size(
        _ range: ClosedRange<Int>,
        or word: String,
        zeroIsNone: Bool = false
    ) -> ValueKind {
        let expectation = SettingExpectation(
            "a size from \(SizeText.exact(range.lowerBound)) to \(SizeText.exact(range.upperBound)),"
                + " in bytes or with a unit as in \"64KiB\", or \"\(word)\""
        )
        return ValueKind(
            placeholder: "SIZE|\(word)",
            read: { input throws(SettingExpectation) in
                if input == .json(.null) || input.text == word { return nil }
                guard let value = bytes(input) else { throw expectation }
                if zeroIsNone, value == 0 { return nil }
                guard range.contains(value) else { throw expectation }
                return value
            },
            write: { $0.map(sizeValue) ?? .string(word) }
        )
    }

    /// A whole number of things, or `word` (in a file also null) to let Weir choose.
    static func count(_ range: ClosedRange<Int>, or word: String) -> ValueKind {
        let expectation = SettingExpectation(
            "a whole number from \(range.lowerBound) to \(range.upperBound), or \"\(word)\""
        )
        return ValueKind(
            placeholder: "COUNT|\(word)",
            read: { input throws(SettingExpectation) in
                if input == .json(.null) || input.text == word { return nil }
                guard let value = wholeNumber(input), range.contains(value) else {
                    throw expectation
                }
                return value
            },
            write: { $0.map { .integer($0) } ?? .string(word) }
        )
    }
}

extension ValueKind where Value == Duration {
    static func duration(_ range: ClosedRange<Duration>) -> ValueKind {
        let expectation = SettingExpectation(
            "a duration from \(DurationText.text(of: range.lowerBound)) to "
                + "\(DurationText.text(of: range.upperBound)), with a unit as in \"500ms\" or \"10s\""
        )
        return ValueKind(
            placeholder: "TIME",
            read: { input throws(SettingExpectation) in
                guard let text = input.text, let value = DurationText.parse(text),
                    range.contains(value)
                else { throw expectation }
                return value
            },
            write: { .string(DurationText.text(of: $0)) }
        )
    }
}

extension ValueKind where Value == Bool {
    static var onOff: ValueKind {
        ValueKind(
            placeholder: "on|off",
            read: { input throws(SettingExpectation) in
                switch input {
                case .json(.boolean(let value)): return value
                case .text("on"), .text("true"): return true
                case .text("off"), .text("false"): return false
                case .json: throw SettingExpectation("true or false")
                case .text: throw SettingExpectation("\"on\" or \"off\"")
                }
            },
            write: { .boolean($0) },
            isSwitch: true
        )
    }
}

extension ValueKind
where Value: RawRepresentable<String> & CaseIterable & Sendable {
    /// One of the words of a closed set.
    static var choice: ValueKind {
        let words = Value.allCases.map { "\"\($0.rawValue)\"" }
        let list = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return ValueKind(
            placeholder: Value.allCases.map(\.rawValue).joined(separator: "|"),
            read: { input throws(SettingExpectation) in
                guard let text = input.text, let value = Value(rawValue: text) else {
                    throw SettingExpectation(list)
                }
                return value
            },
            write: { .string($0.rawValue) }
        )
    }
}

extension ValueKind where Value == [Address] {
    /// One or more places to listen.
    static var addresses: ValueKind {
        ValueKind(
            placeholder: "ADDR",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts, !texts.isEmpty else {
                    throw SettingExpectation("an address, HOST:PORT, [v6]:PORT or unix:/path")
                }
                var addresses: [Address] = []
                for text in texts {
                    addresses.append(try address(text))
                }
                return addresses
            },
            write: { .array($0.map { .string($0.description) }) },
            isList: true
        )
    }
}

extension ValueKind where Value == [String] {
    /// Media types in lower case; an empty list, or the word `any`, accepts all.
    static var mediaTypes: ValueKind {
        let expectation = SettingExpectation(
            "media types such as \"multipart/form-data\", without parameters, or \"any\""
        )
        return ValueKind(
            placeholder: "TYPE",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts else { throw expectation }
                if texts == ["any"] { return [] }
                for text in texts where !isMediaType(text) { throw expectation }
                return texts.map { $0.lowercased() }
            },
            write: { .array($0.map { .string($0) }) },
            isList: true
        )
    }
}

extension ValueKind where Value == [DigestAlgorithm] {
    /// Any of the digests Weir can compute, each once.
    static var digests: ValueKind {
        let names = DigestAlgorithm.allCases.map(\.rawValue).joined(separator: ", ")
        let expectation = SettingExpectation("one or more of \(names)")
        return ValueKind(
            placeholder: "NAME",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts, !texts.isEmpty else { throw expectation }
                let digests = texts.compactMap(DigestAlgorithm.init)
                guard digests.count == texts.count else { throw expectation }
                return DigestAlgorithm.allCases.filter(digests.contains)
            },
            write: { .array($0.map { .string($0.rawValue) }) },
            isList: true
        )
    }
}

extension ValueKind where Value == [String] {
    /// Paths of files, which are read when all settings are known.
    static var files: ValueKind {
        ValueKind(
            placeholder: "FILE",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts, texts.allSatisfy({ !$0.isEmpty }) else {
                    throw SettingExpectation("one or more files")
                }
                return texts == ["none"] ? [] : texts
            },
            write: { .array($0.map { .string($0) }) },
            isList: true
        )
    }
}

extension ValueKind where Value == AuditLog.Destination {
    /// A file, `-` for standard output, or `off`.
    static var auditLog: ValueKind {
        ValueKind(
            placeholder: "FILE|-|off",
            read: { input throws(SettingExpectation) in
                switch input.text {
                case nil where input == .json(.null), "off": return .none
                case "-": return .standardOutput
                case let path? where !path.isEmpty && !path.utf8.contains(0): return .file(path)
                default: throw SettingExpectation("a file, \"-\" for standard output, or \"off\"")
                }
            },
            write: { destination in
                switch destination {
                case .standardOutput: .string("-")
                case .none: .string("off")
                case .file(let path): .string(path)
                }
            }
        )
    }
}

/// Reads an address, and says in the address's own words what is wrong with it.
func address(_ text: String) throws(SettingExpectation) -> Address {
    do throws(AddressError) {
        return try Address(text)
    } catch {
        throw SettingExpectation(because: error.description)
    }
}

private func bytes(_ input: SettingInput) -> Int? {
    if case .json(.integer(let value)) = input { return value }
    return input.text.flatMap { SizeText.parse($0) }
}

private func wholeNumber(_ input: SettingInput) -> Int? {
    switch input {
    case .json(.integer(let value)): value
    case .text(let text) where text.utf8.allSatisfy(ByteClass.digit.contains): Int(text)
    default: nil
    }
}

private func sizeValue(_ bytes: Int) -> JSONValue { .size(bytes) }

extension JSONValue {
    /// Multiples of 1024 with their unit, other sizes as the number of bytes they are.
    static func size(_ bytes: Int) -> JSONValue {
        bytes >= 1024 && bytes % 1024 == 0 ? .string(SizeText.exact(bytes)) : .integer(bytes)
    }
}

private func isMediaType(_ text: String) -> Bool {
    let halves = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return halves.count == 2
        && halves.allSatisfy { half in
            !half.isEmpty
                && half.allSatisfy { ByteClass.token.contains($0) && $0 != UInt8(ascii: "*") }
        }
}
