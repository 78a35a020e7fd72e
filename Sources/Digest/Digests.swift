/// The digests of one message, in the order of `DigestAlgorithm`.
///
/// SHA-256 comes first and is held in place: nearly every message has it, and hardly one another.
package struct Digests: RandomAccessCollection, Equatable, Sendable {
    private let sha256: Digest?
    private let others: [Digest]

    init(_ sha256: Digest?, _ others: [Digest]) {
        self.sha256 = sha256
        self.others = others
    }

    package init() { self.init(nil, []) }

    package var startIndex: Int { 0 }
    package var endIndex: Int { others.count + (sha256 == nil ? 0 : 1) }

    package subscript(index: Int) -> Digest {
        guard let sha256 else { return others[index] }
        return index == 0 ? sha256 : others[index - 1]
    }
}
