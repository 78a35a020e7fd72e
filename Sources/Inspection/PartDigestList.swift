internal import Digest

/// The SHA-256 of each part of an upload, as the value of a field: a list of RFC 9651 §3.1.
///
///     list    = member *( ", " member )
///     member  = index [ ";parent=" index ] [ ";name=" string ] ";sha-256=" byte-sequence
///             / "*;omitted=" count
///
/// Parts stand in the order in which they end, so that one within another stands before it. A name
/// is left out unless it is short and all of it is what a string may hold, which is printable
/// ASCII: the index is what tells parts apart.
///
/// The list is bounded, because it becomes a field line, and readers of those have bounds as well.
/// Once a part does not fit, none that follows is listed; the last member says how many those are.
struct PartDigestList: Sendable {
    /// Longest value: half of what servers take for a field line.
    static let maximumBytes = 4 << 10

    /// Longest name that is written: no sender should push out other parts by naming his own.
    static let maximumNameBytes = 64

    /// Room for the last member.
    private static let reserve = 32

    private var text = ""
    private var omitted = 0

    mutating func append(_ part: PartReport, _ digests: Digests) {
        guard let sha256 = digests.first(where: { $0.algorithm == .sha256 }) else { return }
        var member = text.isEmpty ? "\(part.index)" : ", \(part.index)"
        if let parent = part.parent { member += ";parent=\(parent)" }
        if let name = part.name.flatMap(Self.string) { member += ";name=\(name)" }
        member += ";sha-256=:\(Base64.encode(sha256.bytes)):"
        let isFull = omitted > 0
        if isFull || text.utf8.count + member.utf8.count > Self.maximumBytes - Self.reserve {
            omitted += 1  // bounded by the length of the body
        } else {
            text += member
        }
    }

    /// The value of the field; nil where no part has come to its end.
    var value: String? {
        guard !text.isEmpty else { return nil }
        return omitted == 0 ? text : "\(text), *;omitted=\(omitted)"
    }

    /// RFC 9651 §3.3.3; nil where `name` is not one that is written.
    private static func string(_ name: String) -> String? {
        guard name.utf8.count <= maximumNameBytes,
            name.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        var string = "\""
        for character in name.unicodeScalars {
            if character == "\"" || character == "\\" { string += "\\" }
            string.unicodeScalars.append(character)
        }
        return string + "\""
    }
}
