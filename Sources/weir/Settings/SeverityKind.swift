internal import Inspection

extension ValueKind where Value == SeverityOverrides {
    /// Severities by code: `CODE=SEVERITY`, or an object in a file.
    static var severities: ValueKind {
        ValueKind(
            placeholder: "CODE=SEVERITY",
            read: { input throws(SettingExpectation) in
                var overrides = SeverityOverrides()
                for (code, word) in try pairs(input) {
                    try set(word, of: code, in: &overrides)
                }
                return overrides
            },
            write: { overrides in
                .object(overrides.all.map { JSONMember($0.code, .string($0.severity.rawValue)) })
            },
            isList: true
        )
    }

    private static func pairs(
        _ input: SettingInput
    ) throws(SettingExpectation) -> [(code: String, word: String)] {
        let expectation = SettingExpectation(
            "severities by code, as in {\"preamble.present\": \"warn\"}"
                + " or preamble.present=warn, or \"none\""
        )
        if input == .json(.null) || input.text == "none" { return [] }
        var pairs: [(code: String, word: String)] = []
        if case .json(.object(let members)) = input {
            for member in members {
                guard case .string(let word) = member.value else { throw expectation }
                pairs.append((member.name, word))
            }
            return pairs
        }
        guard let texts = input.texts else { throw expectation }
        for text in texts {
            let halves = text.split(separator: "=", omittingEmptySubsequences: false)
            guard halves.count == 2 else { throw expectation }
            pairs.append((String(halves[0]), String(halves[1])))
        }
        return pairs
    }

    private static func set(
        _ word: String,
        of code: String,
        in overrides: inout SeverityOverrides
    ) throws(SettingExpectation) {
        guard let severity = Severity(rawValue: word) else {
            throw SettingExpectation(
                because: "\(word) is no severity: info, notice, warn or block"
            )
        }
        do throws(SeverityOverrides.Refusal) {
            try overrides.set(severity, of: code)
        } catch {
            switch error {
            case .unknownCode:
                let known = SeverityOverrides.knownCodes
                let meant = Suggestion.nearest(to: code, among: known)
                throw SettingExpectation(
                    because: "There is no code \(code) that could be changed"
                        + (meant.map { "; did you mean \($0)?" } ?? "")
                )
            case .leavesNoReading:
                throw SettingExpectation(
                    because: "\(code) always blocks: after it nobody can say what the body is"
                )
            }
        }
    }
}
