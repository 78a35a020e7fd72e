internal import Transport
internal import Wire

extension ValueKind where Value == [Address] {
    /// The servers that requests go to: one, a list, or in a file null for none.
    static var upstreams: ValueKind {
        ValueKind(
            placeholder: "URL",
            read: { input throws(SettingExpectation) in
                if input == .json(.null) { return [] }
                guard let texts = input.texts, !texts.isEmpty else {
                    throw UpstreamURL.expectation
                }
                var addresses: [Address] = []
                for text in texts {
                    addresses.append(try UpstreamURL.parse(text))
                }
                return addresses
            },
            write: { addresses in
                let texts = addresses.map { JSONValue.string(UpstreamURL.text(of: $0)) }
                return texts.count > 1 ? .array(texts) : texts.first ?? .null
            },
            isList: true
        )
    }
}

extension ValueKind where Value == String? {
    /// The path, and perhaps query, of a request of Weir's own; `off` (in a file also null) is none.
    static var target: ValueKind {
        let expectation = SettingExpectation("a path such as \"/healthz\", or \"off\"")
        return ValueKind(
            placeholder: "PATH|off",
            read: { input throws(SettingExpectation) in
                if input == .json(.null) || input.text == "off" { return nil }
                guard let text = input.text, text.hasPrefix("/"), text.utf8.count <= 1024,
                    text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 })
                else { throw expectation }
                return text
            },
            write: { .string($0 ?? "off") }
        )
    }
}
