#if os(Linux)

/// Watches a descriptor through the `epoll` descriptor of its lane.
///
/// It is registered once, for both directions and edge-triggered, so waiting costs no system
/// call: `Readiness` keeps what is awaited, and this only has to find it again by its token.
final class EpollReadiness: Readiness {
    private let loop: EpollLoop
    private var token = EpollLoop.Token.none

    init(
        _ descriptor: Descriptor,
        on lane: Lane,
        by loop: EpollLoop
    ) throws(TransportError) {
        self.loop = loop
        super.init(descriptor, on: lane)
        token = try loop.add(self, descriptor)
    }

    deinit {
        // The last reference may be dropped on any thread, but the loop belongs to the lane.
        guard let descriptor else { return }
        lane.run { [loop, token] in
            loop.remove(token)
            withExtendedLifetime(descriptor) {}
        }
    }

    /// Nothing to do: every edge is reported anyway.
    override func arm(_ direction: Direction) {}

    override func disarm(keeping descriptor: Descriptor) {
        // The kernel forgets a descriptor that is closed, which happens when this returns. An
        // event already fetched finds its token gone.
        loop.remove(token)
    }
}

#endif
