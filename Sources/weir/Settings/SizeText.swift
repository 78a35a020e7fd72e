/// Sizes as settings write them: a whole number of bytes, or one with a unit.
///
/// `KB MB GB TB` are powers of 1000, `KiB MiB GiB TiB` powers of 1024; case does not matter. A
/// bare `K` or `M` is refused: half of its readers take it for the one, half for the other.
package enum SizeText {
    /// The number of bytes `text` means, or nil where it is none or would overflow.
    package static func parse(_ text: String) -> Int? {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, let count = Int(digits) else { return nil }
        let suffix = text.dropFirst(digits.count)
        guard !suffix.isEmpty else { return count }
        let name = suffix.lowercased()
        guard let unit = units.first(where: { $0.name.lowercased() == name }) else { return nil }
        let (bytes, overflows) = count.multipliedReportingOverflow(by: unit.bytes)
        return overflows ? nil : bytes
    }

    /// `bytes` in the largest power of 1024 that divides it, exactly.
    package static func exact(_ bytes: Int) -> String {
        for unit in units.reversed() where unit.isBinary && bytes > 0 && bytes % unit.bytes == 0 {
            return "\(bytes / unit.bytes)\(unit.name)"
        }
        return String(bytes)
    }

    /// `bytes` for a reader: at most one decimal, in powers of 1000.
    package static func rounded(_ bytes: Int) -> String {
        for unit in units.reversed() where !unit.isBinary && bytes >= unit.bytes && unit.bytes > 1 {
            let tenths = bytes / (unit.bytes / 10)
            return tenths < 100 && tenths % 10 != 0
                ? "\(tenths / 10).\(tenths % 10) \(unit.name)" : "\(tenths / 10) \(unit.name)"
        }
        return "\(bytes) B"
    }

    private static let units = [
        (name: "B", bytes: 1, isBinary: false),
        (name: "KB", bytes: 1000, isBinary: false),
        (name: "KiB", bytes: 1 << 10, isBinary: true),
        (name: "MB", bytes: 1_000_000, isBinary: false),
        (name: "MiB", bytes: 1 << 20, isBinary: true),
        (name: "GB", bytes: 1_000_000_000, isBinary: false),
        (name: "GiB", bytes: 1 << 30, isBinary: true),
        (name: "TB", bytes: 1_000_000_000_000, isBinary: false),
        (name: "TiB", bytes: 1 << 40, isBinary: true),
    ]
}
