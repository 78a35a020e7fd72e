internal import Wire

/// The bytes at the end of what was read that may begin a delimiter, as a count.
///
///     candidate = line-start "--" boundary, cut short
///     line-start = CRLF / CR / LF / the first byte of the body or of a content
///
/// Only CRLF makes a delimiter by the grammar. The others are candidates too, because some parsers
/// take them, so none of such a delimiter may pass before it is reported.
///
/// A candidate is held back by its count alone: its bytes are those of the constant. When a byte
/// does not continue it, no shorter suffix of it can be a candidate, because a line start occurs
/// only at its beginning; so each byte is looked at once.
struct DelimiterMatcher {
    /// What the candidate begins with.
    enum LineStart {
        /// There is no candidate.
        case none
        /// The first byte of the body or of a content.
        case start
        case CR
        case LF
        case CRLF
    }

    enum Step {
        case continues
        case completes
        case fails
    }

    private(set) var lineStart: LineStart

    /// How many bytes of "--" boundary have been seen; less than all of them.
    private(set) var matched = 0

    init(_ lineStart: LineStart = .none) {
        self.lineStart = lineStart
    }

    /// How many bytes are held back, line start included.
    var heldCount: Int { matched + lineStartCount }

    private var lineStartCount: Int {
        switch lineStart {
        case .none, .start: 0
        case .CR, .LF: 1
        case .CRLF: 2
        }
    }

    /// Goes on by one byte, which stays unread if the step fails.
    mutating func step(_ byte: UInt8, _ boundary: MultipartBoundary) -> Step {
        if case .none = lineStart { return .fails }
        if matched == 0, case .CR = lineStart, byte == ASCII.LF {
            lineStart = .CRLF
            return .continues
        }
        guard byte == boundary.delimiter[2 + matched] else { return .fails }
        matched += 1
        return matched == boundary.dashBoundaryCount ? .completes : .continues
    }

    /// Takes the longest suffix of `bytes`, from `start` on, that is a candidate.
    ///
    /// The byte before `start` is not part of a candidate.
    ///
    /// - Returns: The index at which the candidate begins, or `bytes.count`.
    mutating func hold(_ bytes: Span<UInt8>, from start: Int, _ boundary: MultipartBoundary) -> Int
    {
        self = DelimiterMatcher()
        // A candidate has its only line start in front: the last CR or LF decides.
        let first = max(start, bytes.count - boundary.dashBoundaryCount)
        var index = bytes.count - 1
        while index >= first, bytes[index] != ASCII.CR, bytes[index] != ASCII.LF { index -= 1 }
        guard index >= first else { return bytes.count }
        let count = bytes.count - index - 1
        for position in 0..<count
        where bytes[index + 1 + position] != boundary.delimiter[2 + position] {
            return bytes.count
        }
        matched = count
        guard bytes[index] == ASCII.LF else {
            lineStart = .CR
            return index
        }
        guard index > start, bytes[index - 1] == ASCII.CR else {
            lineStart = .LF
            return index
        }
        lineStart = .CRLF
        return index - 1
    }
}
