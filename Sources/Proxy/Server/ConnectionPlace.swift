internal import Transport

/// What a client connection takes of what there is for all.
enum ConnectionPlace {
    /// Its requests are served; it also counts against its network, where there is a limit.
    case served(network: SocketAddress?)
    /// It is told why not, and ends.
    case turnedAway
    /// It is told that nothing is left for it, and ends at once: it has the last descriptor.
    case refused
}
