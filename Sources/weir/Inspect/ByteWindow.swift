/// A few bytes of a stream, and where the first of them lies.
package struct ByteWindow: Equatable, Sendable {
    package let start: Int
    package var bytes: [UInt8]

    package var end: Int { start + bytes.count }

    package init(start: Int, bytes: [UInt8]) {
        self.start = start
        self.bytes = bytes
    }

    /// The offsets worth showing around `offset`: whole rows of 16, two before and one after.
    package static func range(around offset: Int) -> Range<Int> {
        // An offset may be a limit or a length somebody declared, far beyond any byte.
        let offset = min(max(0, offset), 1 << 60)
        let row = offset - offset % 16
        return max(0, row - 32)..<row + 32
    }
}

/// Keeps the last bytes of a stream that cannot be read twice, for windows into it.
///
/// A finding is about bytes that have just passed, as a rule; what has gone too far is not shown.
package struct ByteTail: Sendable {
    private var bytes: [UInt8] = []

    /// Offset in the stream of the byte after the last one kept.
    private var end = 0

    /// Windows asked for, by the offset they are around; the last ones may still be growing.
    private var windows: [Int: ByteWindow] = [:]
    private var growing: [Int] = []

    /// More windows than a terminal shows would only cost memory.
    private static let maximumWindows = 64
    private static let kept = 320 << 10

    package init() {}

    /// Takes the next bytes of the stream.
    package mutating func append(_ new: Span<UInt8>) {
        if bytes.count + new.count > 2 * Self.kept {
            bytes.removeFirst(max(0, bytes.count - Self.kept))
        }
        // SAFETY: the buffer is the span's own, and is only read during the call; one copy of all
        // of it is what keeps a pipe at hashing speed.
        unsafe new.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        end += new.count
        for offset in growing { fill(around: offset) }
        growing.removeAll { end >= ByteWindow.range(around: $0).upperBound }
    }

    /// Keeps the bytes around `offset`, and those still to come.
    package mutating func keep(around offset: Int) {
        guard windows[offset] == nil, windows.count < Self.maximumWindows else { return }
        fill(around: offset)
        growing.append(offset)
    }

    package func window(around offset: Int) -> ByteWindow? { windows[offset] }

    private mutating func fill(around offset: Int) {
        let wanted = ByteWindow.range(around: offset)
        let first = end - bytes.count
        var window = windows[offset] ?? ByteWindow(start: max(wanted.lowerBound, first), bytes: [])
        let from = window.end
        if from >= first, from < min(wanted.upperBound, end) {
            window.bytes += bytes[from - first..<min(wanted.upperBound, end) - first]
        }
        windows[offset] = window
    }
}
