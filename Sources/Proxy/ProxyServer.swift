package import Audit
internal import Dispatch
internal import HTTP1
internal import Inspection
internal import Synchronization
package import Transport

/// The proxy: listeners in front, lanes behind them, and upstreams behind those.
///
/// `Sendable` because its state is set in `init` and `start`, before anything else runs, or lies
/// behind the mutex.
package final class ProxyServer: Sendable {
    /// Why a server cannot start, or cannot take new settings.
    package enum SetupError: Error, Equatable, CustomStringConvertible {
        case cannotListen(Address, TransportError)
        /// These settings size the buffers, which are made once.
        case needsRestart(String)

        package var description: String {
            switch self {
            case .cannotListen(let address, let error):
                "cannot listen on \(address): \(error.text)"
            case .needsRestart(let key):
                "\(key) needs larger buffers than there are, which takes a restart"
            }
        }
    }

    private struct State {
        var settings: ProxySettings
        var listeners: [Listener] = []
        var finished: (@Sendable () -> Void)?
    }

    private let lanes: [ProxyLane]
    private let directory: UpstreamDirectory
    private let bufferCapacity: Int
    private let state: Mutex<State>

    private let troubles: TroubleNotices

    /// Makes the lanes; nothing listens yet.
    ///
    /// - Parameters:
    ///   - settings: What it is told.
    ///   - audit: Where it records.
    ///   - lookUp: How names of upstreams become addresses.
    ///   - say: Tells the operator, from any thread, in a sentence without a full stop.
    package init(
        settings: ProxySettings,
        audit: AuditLog,
        lookUp: @escaping Resolver.LookUp = { address throws(TransportError) in
            try Resolver.resolveNow(address)
        },
        say: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let capacity = Self.bufferCapacity(for: settings)
        bufferCapacity = capacity
        let troubles = TroubleNotices(say: say)
        self.troubles = troubles
        let shared = SharedCounters(troubles: troubles)
        let directory = UpstreamDirectory(for: settings, by: lookUp, say: say)
        self.directory = directory
        lanes = Lane.makeAll(
            count: settings.lanes ?? Self.coreCount,
            bufferCapacity: capacity
        ).map {
            ProxyLane(
                lane: $0,
                settings: settings,
                audit: audit,
                shared: shared,
                directory: directory
            )
        }
        state = Mutex(State(settings: settings))
    }

    /// Room for what the gates may withhold, and for reads behind it.
    private static func bufferCapacity(for settings: ProxySettings) -> Int {
        let withheld = settings.policies.map { UploadInspector.mostWithheld(under: $0) }.max() ?? 0
        let head = settings.headLimits.headBytes
        return max(256 << 10, (max(withheld, head) + (128 << 10)) & ~0xFFF)
    }

    private static var coreCount: Int { SystemFacts.coreCount }

    /// Listens on every address of the settings.
    ///
    /// - Returns: Where it listens, with the ports that were picked.
    package func start() throws(SetupError) -> [Address] {
        let addresses = state.withLock { $0.settings.listen }
        var listeners: [Listener] = []
        for address in addresses {
            do throws(TransportError) {
                let listener = try Listener.binding(
                    address,
                    on: lanes[0].lane,
                    for: lanes.map(\.lane)
                )
                listeners.append(listener)
            } catch {
                throw .cannotListen(address, error)
            }
        }
        directory.start()
        for listener in listeners {
            // The listener holds the server: it runs until it is drained, whoever else forgets it.
            listener.start { [troubles] error in
                troubles.note("connections cannot be accepted for the moment (\(error.text))")
            } onExhaustion: { lane, descriptor, peer in
                self.receive(descriptor, from: peer, on: lane) { $0.refuse($1) }
            } onConnection: { lane, descriptor, peer in
                self.receive(descriptor, from: peer, on: lane) { $0.accept($1) }
            }
        }
        // A bound address is written as an operator would write it, so it reads back as one.
        let bound = zip(listeners, addresses).map { listener, asked in
            (try? Address(listener.address.description)) ?? asked
        }
        state.withLock { [listeners] in $0.listeners = listeners }
        return bound
    }

    private func receive(
        _ descriptor: Descriptor,
        from peer: SocketAddress,
        on lane: Lane,
        then use: (ProxyLane, Stream) -> Void
    ) {
        guard let owner = lanes.first(where: { $0.lane === lane }) else { return }
        do throws(TransportError) {
            use(owner, try Stream(accepting: descriptor, peer: peer, on: lane))
        } catch {
            // The lane cannot watch one more; it has closed it.
            troubles.note("cannot serve a connection: \(error.text)")
        }
    }

    /// New exchanges use `settings`; those in flight end under the old ones.
    ///
    /// Addresses to listen on, and the number of lanes, are taken at start only.
    package func reload(_ settings: ProxySettings) throws(SetupError) {
        guard Self.bufferCapacity(for: settings) <= bufferCapacity else {
            throw .needsRestart("hold")
        }
        state.withLock { $0.settings = settings }
        directory.reload(settings)
        for lane in lanes {
            lane.lane.run { lane.reload(settings) }
        }
    }

    /// Stops accepting, lets what is in flight end, for as long as the settings allow.
    package func drain(onFinished: @escaping @Sendable () -> Void) {
        let (listeners, patience) = state.withLock { state in
            state.finished = onFinished
            let listeners = state.listeners
            state.listeners = []
            return (listeners, state.settings.drain)
        }
        let queue = DispatchQueue(label: "drain")
        let closing = DispatchGroup()
        for listener in listeners {
            closing.enter()
            listener.lane.run {
                listener.close()
                closing.leave()
            }
        }
        directory.stop()
        // Whatever was accepted has been dealt to its lane before that is told.
        closing.notify(queue: queue) { self.drainLanes(for: patience, on: queue) }
    }

    private func drainLanes(for patience: Duration, on queue: DispatchQueue) {
        let group = DispatchGroup()
        for lane in lanes {
            group.enter()
            lane.lane.run { lane.drain { group.leave() } }
        }
        let nanoseconds = Int(clamping: patience.nanoseconds)
        queue.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [lanes] in
            for lane in lanes { lane.lane.run { lane.cutAll() } }
        }
        group.notify(queue: queue) { [self] in
            let finished = state.withLock { state in
                defer { state.finished = nil }
                return state.finished
            }
            finished?()
        }
    }

    /// Ends a drain at once: what is still in flight is cut, recorded, and never looks complete.
    ///
    /// - Parameter onFinished: Called in the place of what `drain` was given.
    package func cut(onFinished: @escaping @Sendable () -> Void) {
        state.withLock { $0.finished = onFinished }
        for lane in lanes {
            lane.lane.run { lane.cutAll() }
        }
    }

    /// One line for each address of an upstream: whether it is used, and how much.
    package func upstreamLines() -> [String] { directory.statusLines() }

    /// One line for each request in flight, gathered from all lanes.
    package func uploadsInFlight(_ completion: @escaping @Sendable ([String]) -> Void) {
        let collected = CollectedLines()
        let group = DispatchGroup()
        for lane in lanes {
            group.enter()
            lane.lane.run {
                collected.append(lane.statusLines())
                group.leave()
            }
        }
        group.notify(queue: .global()) { completion(collected.lines) }
    }
}

/// What several lanes report.
private final class CollectedLines: Sendable {
    private let storage = Mutex<[String]>([])

    var lines: [String] { storage.withLock { $0 } }

    func append(_ more: [String]) { storage.withLock { $0 += more } }
}
