/// Finds the name that was probably meant.
package enum Suggestion {
    /// The candidate nearest to `name` in edits, or nil where none is near.
    ///
    /// Case and separators do not count, and a name that is the end of a longer one
    /// (`bodyBytes` of `limits.bodyBytes`) is as good as equal.
    package static func nearest(to name: String, among candidates: [String]) -> String? {
        let wanted = letters(of: name)
        guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
        let ranked = candidates.map { candidate in
            let offered = letters(of: candidate)
            let isTail = wanted.count > 3 && offered.suffix(wanted.count) == wanted[...]
            return (name: candidate, distance: isTail ? 0 : distance(wanted, offered))
        }
        guard let best = ranked.min(by: { $0.distance < $1.distance }),
            best.distance <= max(1, wanted.count / 3)
        else { return nil }
        return best.name
    }

    /// The fewest insertions, deletions, replacements and swaps of neighbours between two words.
    package static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1]
            for column in 0..<right.count {
                let replaced = last[column] + (left[row] == right[column] ? 0 : 1)
                var best = min(replaced, last[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, left[row] == right[column - 1],
                    left[row - 1] == right[column]
                {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }

    private static func letters(of name: String) -> [UInt8] {
        Array(name.lowercased().utf8.filter { ![UInt8(ascii: "-"), 0x5F, 0x2E].contains($0) })
    }
}
