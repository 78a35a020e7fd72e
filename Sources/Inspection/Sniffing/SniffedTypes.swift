/// What a file is by how it begins, and what else a reader may take it for.
struct SniffedTypes: Equatable, Sendable {
    /// The media type a browser would give it, or a more exact one.
    let mediaType: String

    /// Types whose signs stand behind the beginning, in the order they were found.
    ///
    /// It is what a program sees that looks for them there, or that passes over what it does not
    /// know.
    let others: [String]

    /// The format that text would be whose first letters are its whole signature.
    ///
    /// It is hardly ever more than a word, but who denies programs does not let one in for being
    /// printable.
    let unlikely: [String]

    var all: [String] { [mediaType] + others + unlikely }

    /// True if it is two things at once, and no honest file has a reason to be.
    ///
    /// Text may speak of anything: a page that has a script in it, or a lesson in PHP, is no
    /// polyglot. What has a form of its own has no room for markup, and no text is a PDF or an
    /// archive further on.
    var isPolyglot: Bool {
        guard !others.isEmpty else { return false }
        guard FileTypes.isText(mediaType) else { return true }
        return others.contains {
            !FileTypes.isText($0) && ($0 != "application/pdf" || mediaType == "text/plain")
        }
    }
}
