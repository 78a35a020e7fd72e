internal import Wire

/// Media types and families of them: `image/png`, `image/*`, in lower case.
///
/// An empty set accepts every type.
enum MediaTypeSet {
    /// True if `set` has the type of a Content-Type field, whatever its parameters are.
    ///
    /// A value that is no `type/subtype` of two tokens (RFC 9110 §8.3.1) is in no set: what
    /// `image/png, text/html` is depends on who reads it.
    static func accepts(_ set: [String], declared value: String) -> Bool {
        if set.isEmpty { return true }
        var bytes = Array(value.utf8).prefix { $0 != ASCII.semicolon }
        while let last = bytes.last, last == ASCII.SP || last == ASCII.HTAB { bytes.removeLast() }
        while let first = bytes.first, first == ASCII.SP || first == ASCII.HTAB {
            bytes.removeFirst()
        }
        let halves = bytes.split(
            separator: UInt8(ascii: "/"),
            omittingEmptySubsequences: false
        )
        guard halves.count == 2,
            halves.allSatisfy({ !$0.isEmpty && $0.allSatisfy(ByteClass.token.contains) })
        else { return false }
        return contains(set, String(decoding: bytes.map(ASCII.lowercased), as: UTF8.self))
    }

    /// True if a type in lower case, without parameters, is of `set`; nil is of the empty one alone.
    static func accepts(_ set: [String], _ type: String?) -> Bool {
        if set.isEmpty { return true }
        guard let type else { return false }
        return contains(set, type)
    }

    private static func contains(_ set: [String], _ type: String) -> Bool {
        set.contains { accepted in
            accepted == type || accepted.hasSuffix("/*") && type.hasPrefix(accepted.dropLast())
        }
    }
}
