internal import Wire

extension ValueKind where Value == [String] {
    /// Protocols for Upgrade, in lower case; an empty list, or the word `none`, allows none.
    ///
    /// HTTP/2 is none of them: through it would pass requests that nobody has read.
    static var upgrades: ValueKind {
        let expectation = SettingExpectation(
            "protocols such as \"websocket\", but not HTTP/2, or \"none\""
        )
        return ValueKind(
            placeholder: "PROTOCOL",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts?.map({ $0.lowercased() }) else { throw expectation }
                if texts == ["none"] { return [] }
                for text in texts where !isProtocol(text) { throw expectation }
                return texts
            },
            write: { .array($0.map { .string($0) }) },
            isList: true
        )
    }
}

/// A name, and perhaps a version behind a slash (RFC 9110 §7.8).
private func isProtocol(_ text: String) -> Bool {
    let halves = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return halves.count <= 2 && !text.hasPrefix("h2")
        && halves.allSatisfy { !$0.isEmpty && $0.allSatisfy(ByteClass.token.contains) }
}
