internal import TestSupport
internal import Foundation

/// A fuzzer that needs no libFuzzer: it replays files, or mutates seeds for a while.
///
///     FuzzX [--seconds N] [--seed S] [--careful]
///     FuzzX FILE…
///     FuzzX --corpus DIRECTORY
///
/// What it tries follows from the seed alone. A disagreement is printed, and saved as a file under
/// the temporary directory; the process then ends with status 1. A trap saves nothing, unless each
/// input is saved before it is tried: `--careful`. The last form writes what libFuzzer begins with:
/// the seeds, and a dictionary beside them.
package enum FuzzRun<Target: FuzzTarget> {
    package static func main() {
        var seconds = 60.0
        var seed: UInt64 = 1
        var isCareful = false
        var files: [String] = []
        var arguments = CommandLine.arguments.dropFirst()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--seconds": seconds = arguments.popFirst().flatMap(Double.init) ?? seconds
            case "--seed": seed = arguments.popFirst().flatMap(UInt64.init) ?? seed
            case "--careful": isCareful = true
            case "--corpus": return writeCorpus(to: arguments.popFirst() ?? "corpus")
            default: files.append(argument)
            }
        }
        if files.isEmpty {
            mutate(for: seconds, seed: seed, isCareful: isCareful)
        } else {
            replay(files)
        }
    }

    private static func writeCorpus(to path: String) {
        let directory = URL(fileURLWithPath: path, isDirectory: true)
        let entries = Target.tokens.map { token in
            "\""
                + token.utf8.map { "\\x" + String(UInt16($0) | 0x100, radix: 16).dropFirst() }
                .joined()
                + "\"\n"
        }
        do {
            try FileManager.default.createDirectory(
                at: directory,
                withIntermediateDirectories: true
            )
            for (index, seed) in Target.seeds.enumerated() {
                try Data(seed.utf8).write(to: directory.appendingPathComponent("seed-\(index)"))
            }
            try Data(entries.joined().utf8).write(to: URL(fileURLWithPath: path + ".dict"))
        } catch {
            print("\(path): \(error)")
            exit(2)
        }
    }

    private static func replay(_ files: [String]) {
        for file in files {
            guard let data = FileManager.default.contents(atPath: file) else {
                print("\(file): cannot be read")
                exit(2)
            }
            Target.run(Array(data))
        }
        print("\(Target.self): \(files.count) files, nothing found")
    }

    private static func mutate(for seconds: Double, seed: UInt64, isCareful: Bool) {
        let directory = FileManager.default.temporaryDirectory
        let file = directory.appendingPathComponent("\(Target.self)-\(seed).input")
        var random = SplitMix64(seed: seed)
        var mutator = Mutator(seeds: Target.seeds, tokens: Target.tokens)
        let end = ContinuousClock.now + .seconds(seconds)
        var count = 0
        while ContinuousClock.now < end {
            // The clock is read once for many inputs.
            for _ in 0..<256 {
                let input = mutator.next(&random)
                count += 1
                if isCareful { try? Data(input).write(to: file) }
                do throws(Disagreement) {
                    mutator.learn(input, try Target.judge(input, &random))
                } catch {
                    try? Data(input).write(to: file)
                    print("\(Target.self), seed \(seed), input \(count): \(error.sentence)")
                    print("  \(String(reflecting: input.text))\n  saved as \(file.path)")
                    exit(1)
                }
            }
        }
        print(
            "\(Target.self): \(count) inputs from seed \(seed), \(mutator.kept) kept, nothing found"
        )
    }
}

extension FuzzTarget {
    /// Judges one input, and ends the process where the oracle says that it was read wrongly.
    package static func run(_ input: [UInt8]) {
        // The cuts follow from the input, so that a saved one shows the same again.
        let sum = input.reduce(UInt64(input.count)) { ($0 &* 31) &+ UInt64($1) }
        var random = SplitMix64(seed: sum)
        do throws(Disagreement) {
            _ = try judge(input, &random)
        } catch {
            let text = "\(Self.self): \(error.sentence)\n  \(String(reflecting: input.text))\n"
            FileHandle.standardError.write(Data(text.utf8))
            // libFuzzer saves the input of whatever traps.
            preconditionFailure("an input is read wrongly")
        }
    }
}
