/// How records are rendered.
package enum AuditFormat: String, CaseIterable, Sendable {
    /// Newline-delimited JSON with the keys of the Elastic Common Schema.
    case ecs
    /// One readable line a record, for a terminal.
    case text
}
