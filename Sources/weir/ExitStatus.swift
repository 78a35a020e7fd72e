/// How the process ends, in the number that scripts see.
package enum ExitStatus: Int32, Sendable {
    case success = 0
    /// A finding that blocks, an upload that failed, a port that is taken.
    case failure = 1
    /// Options, variables or a configuration that cannot be followed.
    case usage = 2
    /// Weir's own mistake.
    case internalFault = 70
}
