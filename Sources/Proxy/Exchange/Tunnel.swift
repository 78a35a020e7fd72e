internal import Audit

/// A connection that has switched to another protocol: how far both sides are.
struct Tunnel {
    /// What records say of it.
    var report: TunnelReport

    /// Who has sent all it will send; both may still be read by the other.
    var hasClientFinished = false
    var hasUpstreamFinished = false
}
