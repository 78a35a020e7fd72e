/// The policy of one upload, for all who ask it.
///
/// A policy is large and full of references. Kept by value it was copied with each copy of the
/// inspector, of which a small upload takes several.
final class SharedPolicy: Sendable {
    let policy: InspectionPolicy

    init(_ policy: InspectionPolicy) {
        self.policy = policy
    }
}
