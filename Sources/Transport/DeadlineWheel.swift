/// The deadlines of one lane: tens of thousands, each set, moved and cleared in constant time.
///
/// Time is cut into ticks, and a ring has one slot for each of the next `slotCount` ticks. A
/// deadline lies in the slot of its tick, or in the last one if it is further away. When the
/// wheel comes to a slot it fires what is due and places the rest anew. So a deadline that was
/// moved later costs nothing until then, and one far away costs one look per turn of the wheel.
///
/// The wheel has no clock of its own: `advance(to:)` is told the time, by a ticker that runs only
/// while a deadline is set.
package final class DeadlineWheel {
    /// How coarse deadlines are.
    package static let tick: Duration = .milliseconds(50)

    private static let tickNanoseconds: UInt64 = 50_000_000
    private static let slotCount: UInt64 = 1024

    /// A link in the list of one slot; free nodes are linked by `next` alone.
    private struct Node {
        var deadline: Deadline?
        var slot = 0
        var previous: Int?
        var next: Int?
    }

    private var nodes: [Node] = []
    private var firstFree: Int?
    private var heads = [Int?](repeating: nil, count: Int(slotCount))

    /// The last tick whose slot has been emptied.
    private var current: UInt64 = 0

    private let ticker: Ticker?

    /// What deadlines are measured from.
    let clock: LaneClock

    /// How many deadlines are set.
    package private(set) var count = 0

    /// Makes an empty wheel; without a ticker, its owner calls `advance(to:)`.
    package init(ticker: Ticker? = nil, clock: LaneClock = LaneClock()) {
        self.ticker = ticker
        self.clock = clock
        ticker?.onTick = { [weak self] in self?.tick() }
    }

    /// Expires every deadline that is due, the earliest first.
    package func advance(to now: Instant) {
        let target = now.nanoseconds / Self.tickNanoseconds
        guard target > current else { return }
        var looked: [Deadline] = []
        // Each slot holds deadlines of one tick only, so one turn sees everything.
        for step in 0..<min(target - current, Self.slotCount) {
            empty(Int((current + 1 + step) % Self.slotCount), into: &looked)
        }
        current = target
        var expired: [Deadline] = []
        for deadline in looked {
            if deadline.due <= now.nanoseconds { expired.append(deadline) } else { place(deadline) }
        }
        expired.sort { $0.due < $1.due }
        for deadline in expired { deadline.expire(ifDueAt: now.nanoseconds) }
    }

    /// Puts a deadline that is in no slot into the slot of its moment.
    func place(_ deadline: Deadline) {
        // Rounded up, so that nothing expires early. `current` stays far below 2^64 - slotCount:
        // it is a time in nanoseconds divided by 50 million.
        let (whole, part) = deadline.due.quotientAndRemainder(dividingBy: Self.tickNanoseconds)
        let wanted = part == 0 ? whole : whole + 1
        let tick = min(max(wanted, current + 1), current + Self.slotCount)
        deadline.lookedAtAfter = (tick - 1) * Self.tickNanoseconds
        link(deadline, slot: Int(tick % Self.slotCount))
        count += 1
        ticker?.start()
    }

    /// Takes a deadline out of its slot.
    func remove(_ deadline: Deadline) {
        guard let node = deadline.node else { return }
        let (previous, next) = (nodes[node].previous, nodes[node].next)
        if let previous { nodes[previous].next = next } else { heads[nodes[node].slot] = next }
        if let next { nodes[next].previous = previous }
        release(node)
        deadline.node = nil
    }

    private func tick() {
        advance(to: .now)
        if count == 0 { ticker?.stop() }
    }

    private func link(_ deadline: Deadline, slot: Int) {
        let head = heads[slot]
        let new = Node(deadline: deadline, slot: slot, previous: nil, next: head)
        let node: Int
        if let reused = firstFree {
            node = reused
            firstFree = nodes[reused].next
            nodes[reused] = new
        } else {
            node = nodes.count
            nodes.append(new)
        }
        if let head { nodes[head].previous = node }
        heads[slot] = node
        deadline.node = node
    }

    private func release(_ node: Int) {
        nodes[node] = Node(next: firstFree)
        firstFree = node
        count -= 1
    }

    /// Empties a slot; the deadlines are in no slot afterwards.
    private func empty(_ slot: Int, into deadlines: inout [Deadline]) {
        var rest = heads[slot]
        heads[slot] = nil
        while let node = rest {
            rest = nodes[node].next
            if let deadline = nodes[node].deadline {
                deadline.node = nil
                deadlines.append(deadline)
            }
            release(node)
        }
    }
}
