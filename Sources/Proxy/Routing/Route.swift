package import Inspection

/// One rule for some of the requests: how they are judged, and where they go.
package struct Route: Equatable, Sendable {
    package var match: RouteMatch

    /// What records call it.
    package var name: String
    package var destination: Destination
    package var policy: InspectionPolicy

    package init(
        match: RouteMatch,
        name: String,
        destination: Destination,
        policy: InspectionPolicy
    ) {
        self.match = match
        self.name = name
        self.destination = destination
        self.policy = policy
    }
}
