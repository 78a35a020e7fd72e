package import Digest

/// What is inspected on a route, and what becomes of what is found.
package struct InspectionPolicy: Equatable, Sendable {
    package var mode: Mode
    package var profile: Profile
    package var limits: InspectionLimits

    /// Media types the route accepts, in lower case; empty accepts any.
    package var contentTypes: [String]

    /// Severities in the place of the profile's.
    package var findings = SeverityOverrides()

    /// The digests recorded of each part.
    package var digests: [DigestAlgorithm] = [.sha256]

    /// Whether the beginning of each file is looked at, to tell what it is.
    package var sniffs = true

    /// Types that no file may begin like: media types, families such as `image/*`, or groups of
    /// types such as `executable`, all by the names that `FileTypes` has for them.
    package var deniedTypes: [String] = []

    /// What a form must look like; nil where any will do.
    package var contract: UploadContract?

    /// Files known by their hash; nil where there are no lists.
    package var hashes: HashLists?

    /// How many levels of parts within parts are looked into.
    package var nestedDepth = 0

    /// Who is told the digests of parts; nobody but in enforce mode, for the others change nothing.
    package var partDigests = PartDigestDelivery.off

    /// Protocols a connection may switch to, in lower case; what follows is not inspected.
    package var upgrades = ["websocket"]

    package init(
        mode: Mode = .enforce,
        profile: Profile = .balanced,
        limits: InspectionLimits = InspectionLimits(),
        contentTypes: [String] = []
    ) {
        self.mode = mode
        self.profile = profile
        self.limits = limits
        self.contentTypes = contentTypes
    }

    /// The first of the types a file may be read as that is refused, or nil.
    func deniedType(of types: SniffedTypes) -> String? {
        types.all.first { type in deniedTypes.contains { FileTypes.covers($0, type) } }
    }

    /// True if what a file begins like can be a reason to refuse it, whatever part it is in.
    var refusesByType: Bool {
        !deniedTypes.isEmpty
            || [PolicyReason.typeMismatch, .typePolyglot].contains {
                findings[$0.rawValue] == .block
            }
    }

    /// The digests that have to be computed of each part, whoever asks for them.
    var computedDigests: [DigestAlgorithm] {
        let told: [DigestAlgorithm] = tellsPartDigests ? [.sha256] : []
        guard let hashes else { return digests + told }
        return digests + hashes.deny.algorithms + hashes.allow.algorithms + told
    }

    /// True if somebody is told the digests of parts.
    var tellsPartDigests: Bool { partDigests != .off && mode == .enforce }
}

/// What Weir does with what it finds.
package enum Mode: String, CaseIterable, Sendable {
    /// Refuses what the profile blocks.
    case enforce
    /// Changes nothing, and records what `enforce` would have done.
    case observe
    /// Relays without looking; requests are still recorded.
    case off
}

/// Which findings block.
package enum Profile: String, CaseIterable, Sendable {
    /// Anything two parsers could read differently blocks.
    case strict
    /// What real browsers and clients send passes; broken framing and known bypasses block.
    case balanced
}

/// Bounds on bodies, parts and part headers, in bytes where they are sizes.
package struct InspectionLimits: Equatable, Sendable {
    /// Largest body; nil is unlimited.
    package var bodyBytes: Int?
    package var parts = 128
    package var files = 100
    /// Largest part; nil is unlimited.
    package var partBytes: Int?
    /// Sum of the content of all parts without a filename.
    package var nonFileBytes = 1 << 20
    package var boundaryBytes = 70
    package var partHeaderBytes = 16 << 10
    package var partHeaderLineBytes = 4 << 10
    package var partHeaderFields = 16
    package var nameBytes = 256
    package var filenameBytes = 512

    /// A part, or a whole body, up to this size is forwarded only once it is verified.
    package var holdBytes = 64 << 10

    package init() {}
}
