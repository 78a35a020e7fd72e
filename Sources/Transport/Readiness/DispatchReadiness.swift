#if !os(Linux)
internal import Dispatch

/// Watches a descriptor with two Dispatch sources, made when first needed.
///
/// A source fires for as long as its condition holds. Nobody may be waiting, so a source that
/// fired in vain is suspended, and resumed by the next `arm`; the usual case, where the callback
/// reads until EAGAIN and awaits again, never suspends. A source must not be released while
/// suspended, and a descriptor must not be closed before the cancel handlers of all its sources
/// have run: each handler holds the `Descriptor`, which closes itself with the last reference.
///
/// Not for Linux. There, Dispatch takes a source out of its tables when the peer hangs up, on the
/// source's own queue and without a lock, while its other threads use the same tables: a peer can
/// corrupt the memory of the process, and sometimes an event is lost.
final class DispatchReadiness: Readiness {
    private var reading: Watch?
    private var writing: Watch?

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
        guard let number = descriptor?.number else { return }
        switch direction {
        case .read where reading == nil:
            let source = DispatchSource.makeReadSource(fileDescriptor: number, queue: lane.queue)
            source.setEventHandler { [weak self] in self?.fired(.read) }
            source.activate()
            reading = Watch(source: source)
        case .read:
            reading?.resume()
        case .write where writing == nil:
            let source = DispatchSource.makeWriteSource(fileDescriptor: number, queue: lane.queue)
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
        report(direction)
        guard !isAwaited(direction) else { return }
        switch direction {
        case .read: reading?.suspend()
        case .write: writing?.suspend()
        }
    }
}

#endif
