package import TestSupport

/// Something that reads bytes from outside, and an oracle that says whether it read them rightly.
package protocol FuzzTarget {
    /// Inputs that are right, or nearly so, from which others are made.
    static var seeds: [String] { get }

    /// Pieces the input language is made of, inserted more often than random bytes.
    static var tokens: [String] { get }

    /// Judges what is made of `input`, cut in ways that `random` chooses.
    ///
    /// - Returns: A sketch of what happened: inputs that give a new one are worth mutating further.
    /// - Throws: `Disagreement` where the oracle says otherwise.
    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8]
}

/// What is wrong with what was made of an input.
package struct Disagreement: Error {
    package let sentence: String

    package init(_ sentence: String) {
        self.sentence = sentence
    }
}

extension FuzzTarget {
    /// Throws the sentence unless `condition` holds.
    package static func require(
        _ condition: Bool,
        _ sentence: @autoclosure () -> String
    ) throws(Disagreement) {
        if !condition { throw Disagreement(sentence()) }
    }

    /// Some ways to cut `input`: byte by byte, in two at a random place, and in many pieces.
    package static func someCuts(
        of input: [UInt8],
        _ random: inout SplitMix64
    ) -> [[ArraySlice<UInt8>]] {
        guard input.count > 1 else { return [] }
        let middle = Int.random(in: 1..<input.count, using: &random)
        var pieces: [ArraySlice<UInt8>] = []
        var rest = input[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40, using: &random))
            pieces.append(piece)
            rest = rest.dropFirst(piece.count)
        }
        return [
            input.indices.map { input[$0...$0] }, [input[..<middle], input[middle...]], pieces,
        ]
    }
}

extension [UInt8] {
    /// These bytes for a person to read; what is not UTF-8 is repaired.
    package var text: String { String(decoding: self, as: UTF8.self) }
}
