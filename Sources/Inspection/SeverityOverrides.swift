internal import Multipart
internal import Wire

/// Severities that an operator has set by code, in the place of the profile's.
///
/// Any code of a body can be raised or lowered, but for those after which nobody knows what the
/// body is: a fault ends the reading, and a boundary that cannot be used begins none. To let such
/// a body pass would be to forward what was not inspected.
package struct SeverityOverrides: Equatable, Sendable {
    /// Why a severity cannot be set.
    package enum Refusal: Error {
        /// No body is ever found to have it.
        case unknownCode
        /// Nothing can be read after it, so it always blocks.
        case leavesNoReading
    }

    private var severities: [String: Severity] = [:]

    package init() {}

    package var isEmpty: Bool { severities.isEmpty }

    /// What was set, by ascending code.
    package var all: [(code: String, severity: Severity)] {
        severities.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The codes whose severity can be asked for.
    package static var knownCodes: [String] {
        MultipartReason.allCases.map(\.rawValue) + PolicyReason.allCases.map(\.rawValue)
    }

    package mutating func set(_ severity: Severity, of code: String) throws(Refusal) {
        if let reason = MultipartReason(rawValue: code) {
            if reason.leavesNoReading, severity != .block { throw .leavesNoReading }
        } else if PolicyReason(rawValue: code) == nil {
            throw .unknownCode
        }
        severities[code] = severity
    }

    subscript(code: String) -> Severity? { severities.isEmpty ? nil : severities[code] }
}

extension MultipartReason {
    /// True where there is no way to read on.
    var leavesNoReading: Bool {
        switch self {
        case .boundaryMissing, .boundaryEmpty, .boundaryTooLong, .boundaryInvalidCharacter,
            .boundaryTrailingSpace:
            true
        case .delimiterMissingFirst, .delimiterTrailingBytes, .finalDelimiterMissing,
            .partHeaderLineTooLong, .partHeaderBlockTooLarge, .partHeaderTooMany:
            true
        default: false
        }
    }
}
