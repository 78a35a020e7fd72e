/// What a whole filename looks like: `*` stands for any characters or none, `?` for one.
///
/// Every other character stands for itself, in its case. Matching keeps one place to come back to,
/// the last `*`: giving an earlier one more could only cost characters that the last one can take.
/// So the cost is at most the product of two lengths that are both bounded.
package struct FilenamePattern: Equatable, Sendable {
    /// Longest pattern, in characters.
    package static let maximumCount = 256

    /// As it was written.
    package let text: String
    private let scalars: [Unicode.Scalar]

    /// Nil where `text` is empty or too long.
    package init?(_ text: String) {
        scalars = Array(text.unicodeScalars)
        guard !scalars.isEmpty, scalars.count <= Self.maximumCount else { return nil }
        self.text = text
    }

    func matches(_ filename: String) -> Bool {
        let name = Array(filename.unicodeScalars)
        var (place, wanted) = (0, 0)
        var retry: (place: Int, wanted: Int)?
        while place < name.count {
            if wanted < scalars.count, scalars[wanted] == "*" {
                retry = (place, wanted + 1)
                wanted += 1
            } else if wanted < scalars.count,
                scalars[wanted] == "?" || scalars[wanted] == name[place]
            {
                place += 1
                wanted += 1
            } else if let last = retry {
                retry = (last.place + 1, last.wanted)
                (place, wanted) = (last.place + 1, last.wanted)
            } else {
                return false
            }
        }
        return scalars[wanted...].allSatisfy { $0 == "*" }
    }
}
