/// What a contract says of filenames.
package struct FilenameRule: Equatable, Sendable {
    /// Longest filename, in bytes of UTF-8; nil is unlimited here.
    package var maximumBytes: Int?

    /// The only characters it may have; nil accepts any.
    package var characters: CharacterClass?

    /// What it must look like as a whole; nil accepts anything.
    package var pattern: FilenamePattern?

    package init() {}

    func accepts(_ filename: String) -> Bool {
        if let maximumBytes, filename.utf8.count > maximumBytes { return false }
        if let characters, !filename.unicodeScalars.allSatisfy(characters.contains) {
            return false
        }
        return pattern?.matches(filename) ?? true
    }
}

/// A set of characters, written as within the brackets of a regular expression: `a-zA-Z0-9._-`.
///
///     class = 1*( character "-" character / character )
///
/// A dash that stands first or last stands for itself, and nothing is escaped.
package struct CharacterClass: Equatable, Sendable {
    /// As it was written.
    package let text: String
    private var ranges: [ClosedRange<UInt32>] = []

    /// Nil where `text` is empty, or has a range whose end comes before its beginning.
    package init?(_ text: String) {
        guard !text.isEmpty else { return nil }
        self.text = text
        let scalars = text.unicodeScalars.map(\.value)
        let dash = UInt32(0x2D)
        var index = 0
        while index < scalars.count {
            let first = scalars[index]
            if index + 2 < scalars.count, scalars[index + 1] == dash {
                guard first <= scalars[index + 2] else { return nil }
                ranges.append(first...scalars[index + 2])
                index += 3
            } else {
                ranges.append(first...first)
                index += 1
            }
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        ranges.contains { $0.contains(scalar.value) }
    }
}
