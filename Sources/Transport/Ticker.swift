internal import Dispatch

/// A timer of one lane that ticks while it is started.
package final class Ticker {
    private enum State {
        case new
        case running
        case stopped
    }

    private let source: any DispatchSourceTimer
    private var state = State.new

    /// Called on the lane at each tick.
    var onTick: () -> Void = {}

    init(interval: DispatchTimeInterval, leeway: DispatchTimeInterval, on queue: DispatchQueue) {
        source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway)
        source.setEventHandler { [weak self] in self?.onTick() }
    }

    deinit {
        // Dispatch traps when a source is released that was never activated, or is suspended.
        start()
        source.cancel()
    }

    func start() {
        switch state {
        case .new: source.activate()
        case .stopped: source.resume()
        case .running: return
        }
        state = .running
    }

    func stop() {
        guard case .running = state else { return }
        source.suspend()
        state = .stopped
    }
}
