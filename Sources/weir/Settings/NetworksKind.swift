internal import Transport

extension ValueKind where Value == [Network] {
    /// Networks; an empty list, or the word `none`, is nobody.
    static var networks: ValueKind {
        let expectation = SettingExpectation(
            "networks such as \"10.0.0.0/8\" or \"2001:db8::/32\", without bits behind the prefix,"
                + " addresses, or \"unix\""
        )
        return ValueKind(
            placeholder: "NETWORK",
            read: { input throws(SettingExpectation) in
                guard let texts = input.texts else { throw expectation }
                if texts == ["none"] { return [] }
                let networks = texts.compactMap { Network($0) }
                guard networks.count == texts.count else { throw expectation }
                return networks
            },
            write: { .array($0.map { .string($0.description) }) },
            isList: true
        )
    }
}
