internal import TestSupport

/// Makes inputs out of others: the seeds, and whatever showed something new.
struct Mutator {
    /// What is mutated; bounded, so that a long run does not only grow.
    private var corpus: [[UInt8]]
    private let tokens: [[UInt8]]
    private var sketches: Set<[UInt8]> = []

    private static let mostKept = 4_096
    private static let mostBytes = 4_096

    init(seeds: [String], tokens: [String]) {
        corpus = seeds.map { Array($0.utf8) }
        self.tokens = tokens.map { Array($0.utf8) }
    }

    var kept: Int { corpus.count }

    /// Keeps `input` if nothing before it gave this sketch.
    mutating func learn(_ input: [UInt8], _ sketch: [UInt8]) {
        guard sketches.count < Self.mostKept, sketches.insert(sketch).inserted else { return }
        corpus.append(input)
    }

    /// The next input: one that is kept, changed in a few places.
    func next(_ random: inout SplitMix64) -> [UInt8] {
        var bytes = pick(corpus, &random)
        for _ in 0..<Int.random(in: 0...5, using: &random) {
            change(&bytes, &random)
        }
        return Array(bytes.prefix(Self.mostBytes))
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
        let index = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, index + Int.random(in: 0...24, using: &random))
        switch Int.random(in: 0..<9, using: &random) {
        case 0: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: index)
        case 1, 2: bytes.insert(contentsOf: pick(tokens, &random), at: index)
        case 3: if index < bytes.count { bytes.remove(at: index) }
        case 4: bytes.replaceSubrange(index..<end, with: pick(tokens, &random))
        case 5: bytes.insert(contentsOf: bytes[index..<end], at: index)
        case 6: bytes.removeSubrange(index..<end)
        case 7:
            let other = pick(corpus, &random)
            bytes =
                Array(bytes.prefix(index))
                + other.suffix(Int.random(in: 0...other.count, using: &random))
        default: bytes.removeSubrange(index...)
        }
    }

    private func pick(_ choices: [[UInt8]], _ random: inout SplitMix64) -> [UInt8] {
        choices.randomElement(using: &random) ?? []
    }
}
