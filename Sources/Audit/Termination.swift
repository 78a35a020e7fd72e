/// Who ended an exchange, and in which phase, in the two letters HAProxy made familiar.
///
/// `CD` is a client that left within its body, `sH` an upstream that was too slow to answer, and
/// `--` an exchange that ended as it should.
package struct Termination: Equatable, Sendable {
    /// Who ended it.
    package enum Party: String, CaseIterable, Sendable {
        case client = "C"
        case upstream = "S"
        case weir = "P"
        case clientTimeout = "c"
        case upstreamTimeout = "s"
        case shutdown = "K"
        case nobody = "-"
    }

    /// What was going on when it ended.
    package enum Phase: String, CaseIterable, Sendable {
        case requestHead = "R"
        /// Waiting for an upstream to be free.
        case waiting = "Q"
        case connecting = "C"
        case body = "D"
        case responseHead = "H"
        case responseBody = "L"
        case finished = "-"
    }

    package let party: Party
    package let phase: Phase

    package init(by party: Party, in phase: Phase) {
        self.party = party
        self.phase = phase
    }

    /// The exchange ended as it should.
    package static let normal = Termination(by: .nobody, in: .finished)

    package var code: String { party.rawValue + phase.rawValue }
}
