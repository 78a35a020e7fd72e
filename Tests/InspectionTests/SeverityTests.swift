import Multipart
import Testing
import Wire

@testable import Inspection

/// What each profile makes of each fact, and the names by which findings are known.
@Suite struct SeverityTests {
    @Test(arguments: MultipartReason.allCases)
    func strictIsNeverWeaker(_ reason: MultipartReason) {
        let strict = Profile.strict.severity(of: reason)
        #expect(strict >= Profile.balanced.severity(of: reason))
    }

    /// Oddities of real senders that every parser reads alike: they must pass in both profiles.
    @Test(arguments: [
        (MultipartReason.filenamePath, Severity.notice),
        (.partContentLengthMismatch, .notice),
        (.partCharsetField, .notice),
        (.contentTypeNotMultipart, .info),
        (.dispositionExtendedFilenameEqual, .info),
        (.filenameEmpty, .info),
    ])
    func harmlessOddities(_ reason: MultipartReason, _ severity: Severity) {
        for profile in Profile.allCases { #expect(profile.severity(of: reason) == severity) }
    }

    /// RFC 9110 allows it, and nothing is read differently but that two parsers lose the part.
    @Test func anEmptyParameterIsAWarning() {
        #expect(Profile.strict.severity(of: .dispositionEmptyParameter) == .warn)
        #expect(Profile.balanced.severity(of: .dispositionEmptyParameter) == .notice)
    }

    @Test(arguments: [
        MultipartReason.boundaryInvalidQuoting, .filenameInvalidUTF8,
        .nameInvalidUTF8, .partHeaderInvalidUTF8, .filenameControl, .filenameBidi,
    ])
    func onlyStrictBlocks(_ reason: MultipartReason) {
        #expect(Profile.strict.severity(of: reason) == .block)
        #expect(Profile.balanced.severity(of: reason) == .warn)
    }

    /// Framing that two parsers could read as different parts blocks whatever the profile.
    @Test(arguments: [
        MultipartReason.boundaryMissing, .boundaryEmpty, .boundaryTooLong,
        .boundaryInvalidCharacter, .boundaryTrailingSpace, .boundaryDuplicateParameter,
        .boundaryContinuationParameter, .boundaryAmbiguousParameter, .boundaryParameterWhitespace,
        .contentTypeInvalid, .contentTypeMissingSemicolon, .contentTypeCharset,
        .delimiterMissingFirst, .delimiterTrailingBytes, .delimiterPadding, .delimiterBareLF,
        .delimiterBareCR, .finalDelimiterMissing, .preamblePresent, .epiloguePresent, .lineBareLF,
        .lineBareCR, .partHeaderNoColon, .partHeaderBadName, .partHeaderSpaceBeforeColon,
        .partHeaderControl, .partHeaderNUL, .partHeaderFolded, .partHeaderDuplicate,
        .partHeaderLineTooLong, .partHeaderBlockTooLarge, .partHeaderTooMany, .dispositionMissing,
        .dispositionNotFormData, .dispositionNameMissing, .dispositionDuplicateParameter,
        .dispositionInvalid, .dispositionMissingSemicolon, .dispositionExtendedFilenameMismatch,
        .filenameTooLong, .nameTooLong, .partBodyless, .partTransferEncoding, .partCharset,
        .partNestedMultipart,
    ])
    func bothBlock(_ reason: MultipartReason) {
        for profile in Profile.allCases { #expect(profile.severity(of: reason) == .block) }
    }

    @Test func severitiesAreOrdered() {
        #expect(Severity.allCases.sorted() == [.info, .notice, .warn, .block])
        for (index, severity) in Severity.allCases.enumerated() {
            for (other, than) in Severity.allCases.enumerated() {
                #expect((severity < than) == (index < other))
            }
        }
    }

    @Test func codesAreUniqueAndDisjoint() {
        let policy = PolicyReason.allCases.map(\.rawValue)
        let multipart = MultipartReason.allCases.map(\.rawValue)
        #expect(Set(policy + multipart).count == policy.count + multipart.count)
    }

    @Test(arguments: PolicyReason.allCases)
    func policyReasonsSayWhatAndWhere(_ reason: PolicyReason) {
        #expect(reason.rawValue.split(separator: ".", omittingEmptySubsequences: false).count == 2)
        #expect(reason.explanation.hasSuffix("."))
        #expect(!reason.reference.isEmpty)
    }
}
