/// Carries a value past other threads, back to the lane it came from.
///
/// `Sendable` because only that lane ever uses it.
struct LaneBound<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension Lane {
    /// What any thread may call, once or more, to have `work` done on this lane in a later turn.
    ///
    /// What the closure holds may be let go on another thread: it should hold weakly what must not.
    package func bound(_ work: @escaping () -> Void) -> @Sendable () -> Void {
        let bound = LaneBound(work)
        return { self.run { bound.value() } }
    }
}
