internal import Transport

/// Brings two large uploads of a lane together, whose content is then hashed at once.
///
/// Half as much again is hashed so in the same time. An upload that has been read waits a moment
/// for another one to be read, and then goes on alone; where nobody came, the next ones wait no
/// longer than until the lane has looked what else there is.
final class UploadPairing {
    enum Offer {
        /// It goes on alone.
        case goOn
        /// It goes on with the other one, which is then called.
        case pair(with: UploadExchange)
        /// It is called again.
        case wait
    }

    /// Of so many reads at least one waits longer.
    private static let mostSkipped = 64

    /// Large uploads in flight.
    private var count = 0

    /// There is somebody to wait for.
    var isWorthWaiting: Bool { count > 1 && skipsLeft == 0 }

    private var waiting: UploadExchange?

    /// How many reads wait no longer than they must after one that did in vain, and how many still
    /// do.
    private var skips = 0
    private var skipsLeft = 0

    func began() { count += 1 }
    func ended() { count -= 1 }

    /// Gives `upload` the one that waits, or else has it wait.
    func offer(_ upload: UploadExchange, on lane: Lane) -> Offer {
        guard count > 1 else { return .goOn }
        if let other = waiting, other !== upload {
            waiting = nil
            skips = 0
            skipsLeft = 0
            return .pair(with: other)
        }
        waiting = upload
        if skipsLeft == 0 {
            lane.reluctantly { [weak self] in self?.giveUp(upload, isDisappointed: true) }
        } else {
            skipsLeft -= 1
            lane.later { [weak self] in self?.giveUp(upload, isDisappointed: false) }
        }
        return .wait
    }

    /// It goes on for some other reason, or has ended.
    func withdraw(_ upload: UploadExchange) {
        if waiting === upload { waiting = nil }
    }

    private func giveUp(_ upload: UploadExchange, isDisappointed: Bool) {
        guard waiting === upload else { return }
        waiting = nil
        if isDisappointed {
            skips = min(max(skips * 2, 1), Self.mostSkipped)
            skipsLeft = skips
        }
        upload.receive()
    }
}
