/// What time it is on a lane.
///
/// While the lane handles an event, time stands still for it: what happens in between takes
/// microseconds, and asking the system a dozen times for each request takes some as well. What
/// takes longer, as hashing does, has the clock `refresh`.
package final class LaneClock {
    private var held: Instant?

    package init() {}

    package var now: Instant { held ?? .now }

    /// Holds this moment, until it is refreshed or released.
    func hold() { held = .now }

    /// Lets time go on by itself.
    func release() { held = nil }

    /// Sets a clock that is held to this moment.
    package func refresh() {
        if held != nil { held = .now }
    }
}
