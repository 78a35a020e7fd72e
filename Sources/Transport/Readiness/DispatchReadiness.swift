internal import Dispatch

/// Watches a descriptor with two Dispatch sources, made when first needed.
///
/// What this file knows about Dispatch on Linux, so that no other has to:
///
/// - A source fires for as long as its condition holds. Nobody may be waiting, so a source that
///   fired in vain is suspended, and resumed by the next `arm`. The usual case, where the
///   callback reads until EAGAIN and awaits again, never suspends.
/// - On a hang-up Dispatch forgets both sources after one last event. `Readiness` remembers that
///   event, so `await` does not depend on another.
/// - Both sources of one descriptor share a note in Dispatch. A read source that is registered
///   while a write source is armed lands in the wrong list of that note, and is then told about
///   writing. So the read source is always made first.
/// - Registering takes effect later, on Dispatch's own thread. If a hang-up is reported between
///   the two, as when a connection is refused, the write source is never told. So until it has
///   fired once, an event of the read source asks the kernel about a hang-up.
/// - A source must not be released while suspended, and a descriptor must not be closed before
///   the cancel handlers of all its sources have run. Each handler holds the `Descriptor`, which
///   closes itself when the last reference is gone.
final class DispatchReadiness: Readiness {
    private var reading: Watch?
    private var writing: Watch?

    /// True once Dispatch is known to watch for writing.
    private var hasWritingFired = false

    /// One source, and whether it is suspended.
    private struct Watch {
        let source: any DispatchSourceProtocol
        var isSuspended = false

        mutating func suspend() {
            guard !isSuspended else { return }
            isSuspended = true
            source.suspend()
        }

        mutating func resume() {
            guard isSuspended else { return }
            isSuspended = false
            source.resume()
        }
    }

    deinit {
        if let descriptor { disarm(keeping: descriptor) }
    }

    override func arm(_ direction: Direction) {
        guard let descriptor else { return }
        if reading == nil {
            let source = DispatchSource.makeReadSource(
                fileDescriptor: descriptor.number,
                queue: lane.queue
            )
            source.setEventHandler { [weak self] in self?.fired(.read) }
            source.activate()
            reading = Watch(source: source)
        }
        switch direction {
        case .read:
            reading?.resume()
        case .write where writing == nil:
            let source = DispatchSource.makeWriteSource(
                fileDescriptor: descriptor.number,
                queue: lane.queue
            )
            source.setEventHandler { [weak self] in self?.fired(.write) }
            source.activate()
            writing = Watch(source: source)
        case .write:
            writing?.resume()
        }
    }

    override func disarm(keeping descriptor: Descriptor) {
        for var watch in [reading, writing].compactMap(\.self) {
            watch.source.setCancelHandler { withExtendedLifetime(descriptor) {} }
            watch.source.cancel()
            watch.resume()
        }
        reading = nil
        writing = nil
    }

    private func fired(_ direction: Direction) {
        switch direction {
        case .write:
            hasWritingFired = true
        case .read where !hasWritingFired && isAwaited(.write):
            if descriptor?.isHungUp == true { report(.write) }
        case .read:
            break
        }
        report(direction)
        guard !isAwaited(direction) else { return }
        switch direction {
        case .read: reading?.suspend()
        case .write: writing?.suspend()
        }
    }
}
