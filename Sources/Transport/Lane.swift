package import Dispatch

/// The thread of control of many connections: a serial queue, a clock, deadlines and buffers.
///
/// A connection lives and dies on one lane, so its state needs no lock. Everything reached
/// through a lane is confined to it, except what says otherwise. There are as many lanes as cores.
///
/// `Sendable` because what may be used from outside (`label`, `queue`, `run`, `assertOnLane`) is
/// immutable or safe for threads, and the rest is confined to the queue.
package final class Lane: @unchecked Sendable {
    package let label: String
    package let queue: DispatchQueue

    /// The time, as this lane sees it.
    package let clock = LaneClock()

    /// The deadlines of this lane.
    package let deadlines: DeadlineWheel

    /// The buffers of this lane.
    package let buffers: BufferPool

    /// Random bits for this lane.
    package var random = RandomBits()

    #if os(Linux)
    /// What watches the lane's descriptors, from the first one on.
    private var startedLoop: EpollLoop?
    #endif

    /// Work for the next turn.
    private var laterWork: [() -> Void] = []
    private var isLaterWorkQueued = false

    /// Events are being handled, and what they leave for later right behind them.
    private var isInTurn = false

    /// Work that waits for something better to come.
    private var reluctantWork: [(due: Instant, work: () -> Void)] = []
    private static let reluctance = Duration.milliseconds(1)

    private let waker = LaneWaker()

    /// Makes a lane.
    ///
    /// Its buffers have `bufferCapacity` bytes each, and it keeps up to `maximumFreeBuffers` of
    /// them that nobody uses.
    package init(
        label: String,
        bufferCapacity: Int = 256 * 1024,
        maximumFreeBuffers: Int = 64
    ) {
        self.label = label
        queue = DispatchQueue(label: label)
        let tick = Int(DeadlineWheel.tick.nanoseconds / 1_000_000)
        deadlines = DeadlineWheel(
            ticker: Ticker(
                interval: .milliseconds(tick),
                leeway: .milliseconds(tick / 5),
                on: queue
            ),
            clock: clock
        )
        buffers = BufferPool(bufferCapacity: bufferCapacity, maximumFree: maximumFreeBuffers)
    }

    /// Makes `count` lanes, named and numbered.
    package static func makeAll(
        count: Int,
        bufferCapacity: Int = 256 * 1024,
        maximumFreeBuffers: Int = 64
    ) -> [Lane] {
        (0..<max(count, 1)).map { index in
            Lane(
                label: "lane-\(index)",
                bufferCapacity: bufferCapacity,
                maximumFreeBuffers: maximumFreeBuffers
            )
        }
    }

    /// How many descriptors the lane watches; always 0 where there is no `epoll`.
    package var watchedCount: Int {
        #if os(Linux)
        startedLoop?.count ?? 0
        #else
        0
        #endif
    }

    #if os(Linux)
    /// The loop that watches the lane's descriptors, started when it is first needed.
    func loop() throws(TransportError) -> EpollLoop {
        assertOnLane()
        if let startedLoop { return startedLoop }
        let loop = try EpollLoop(on: self, wakenBy: waker)
        startedLoop = loop
        return loop
    }
    #endif

    /// This moment, by the clock of the deadlines.
    package var now: Instant { clock.now }

    /// Traps, in debug builds, anywhere but on this lane.
    package func assertOnLane() {
        #if DEBUG
        dispatchPrecondition(condition: .onQueue(queue))
        #endif
    }

    /// Runs `work` on this lane, soon.
    ///
    /// May be called from any thread; work from one thread runs in order.
    package func run(_ work: @escaping @Sendable () -> Void) {
        waker.workComes()
        queue.async { [waker] in
            waker.workBegins()
            work()
        }
        waker.workWaits()
    }

    /// Runs `work` in a later turn of this lane, which it is called on.
    ///
    /// The closure stays on the lane, so it may hold what cannot be sent anywhere.
    package func later(_ work: @escaping () -> Void) {
        assertOnLane()
        laterWork.append(work)
        if !isInTurn { queueLaterWork() }
    }

    /// Runs `work` in a later turn of this lane, once there has been time for other events to come.
    ///
    /// It is at most a millisecond, and nothing where the lane has no means to wait.
    package func reluctantly(_ work: @escaping () -> Void) {
        assertOnLane()
        guard isInTurn else { return later(work) }
        reluctantWork.append((now + Self.reluctance, work))
    }

    /// When the first of that is to run at the latest; nil where there is none.
    var reluctantWorkDue: Instant? { reluctantWork.first?.due }

    func runReluctantWork(at now: Instant) {
        guard let first = reluctantWork.first, now >= first.due else { return }
        let ready = reluctantWork.prefix { now >= $0.due }
        reluctantWork.removeFirst(ready.count)
        for item in ready { item.work() }
    }

    /// Something waits for the next turn.
    var hasLaterWork: Bool { !laterWork.isEmpty }

    /// Handles events: what they leave for later is run between them, by `runLaterWork`.
    func turn(_ work: () -> Void) {
        isInTurn = true
        work()
        clock.release()
        isInTurn = false
        if !laterWork.isEmpty { queueLaterWork() }
    }

    private func queueLaterWork() {
        if isLaterWorkQueued { return }
        isLaterWorkQueued = true
        queue.async {
            self.isLaterWorkQueued = false
            self.runLaterWork()
        }
    }

    func runLaterWork() {
        guard !laterWork.isEmpty else { return }
        let work = laterWork
        // Emptied before it runs: what it adds belongs to yet another turn.
        laterWork = []
        for item in work { item() }
    }
}
