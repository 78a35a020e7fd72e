internal import Dispatch
#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Calls a closure, on a lane, for each of a few signals, which then do nothing else.
///
/// Signals that arrive together may be told once. `Sendable` because its sources never change, and
/// Dispatch sources may be used on any thread.
package final class SignalWatch: @unchecked Sendable {
    package enum Signal: CaseIterable, Sendable {
        case terminate
        case interrupt
        case hangUp
        case user1

        package var number: Int32 {
            switch self {
            case .terminate: SIGTERM
            case .interrupt: SIGINT
            case .hangUp: SIGHUP
            case .user1: SIGUSR1
            }
        }
    }

    private let sources: [any DispatchSourceSignal]

    /// Watches `signals` until it is dropped.
    ///
    /// `onSignal` is called on the lane for each signal that arrives. A signal is ignored from now
    /// until `onReady` is called for it.
    package init(
        _ signals: [Signal],
        on lane: Lane,
        onReady: @escaping @Sendable (Signal) -> Void = { _ in },
        onSignal: @escaping @Sendable (Signal) -> Void
    ) {
        sources = signals.map { signal in
            // The usual action must not happen before, or beside, the source.
            Self.ignore(signal.number)
            let source = DispatchSource.makeSignalSource(signal: signal.number, queue: lane.queue)
            source.setRegistrationHandler { onReady(signal) }
            source.setEventHandler { onSignal(signal) }
            source.activate()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }

    /// Makes a write to a closed socket or pipe fail with EPIPE, instead of ending the process.
    package static func ignoreBrokenPipes() {
        ignore(SIGPIPE)
    }

    private static func ignore(_ number: Int32) {
        _ = signal(number, SIG_IGN)
    }
}
