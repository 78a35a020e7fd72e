#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A fixed piece of memory that bytes are read into, inspected in, and written from.
///
/// The owner keeps the positions; the buffer only lends ranges of itself, for the length of a
/// call. The memory is mapped: a page that nobody touched costs nothing, so the capacity may be
/// generous. A range that is not inside the buffer is a bug of the owner, and traps.
@safe
package final class ByteBuffer {
    package let capacity: Int

    /// The first of `capacity` mapped bytes, unmapped in `deinit` and nowhere else.
    private let memory: UnsafeMutableRawPointer

    /// True while the buffer lies in a pool: what is free there must not be given twice.
    var isPooled = false

    /// Maps `capacity` bytes, all zero.
    package init(capacity: Int) throws(TransportError) {
        precondition(capacity > 0, "a buffer holds something")
        // SAFETY: an anonymous private mapping touches no memory of anyone else.
        let memory = unsafe mmap(
            nil,
            capacity,
            PROT_READ | PROT_WRITE,
            MAP_PRIVATE | anonymousMapping,
            -1,
            0
        )
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
            throw TransportError(.allocate, code: ENOMEM)
        }
        self.capacity = capacity
        unsafe self.memory = memory
    }

    deinit {
        // SAFETY: spans are lent for the length of a call only, so nothing points here any more.
        _ = unsafe munmap(memory, capacity)
    }

    /// Lends a range for reading.
    package func withBytes<Result, Failure: Error>(
        _ range: Range<Int>,
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: the range is inside the mapping, mapped bytes are initialised, and the span
        // cannot leave `body`.
        let bytes = unsafe UnsafeBufferPointer(
            start: start(of: range).assumingMemoryBound(to: UInt8.self),
            count: range.count
        )
        return try body(unsafe bytes.span)
    }

    /// Lends a range for writing.
    package func withMutableBytes<Result, Failure: Error>(
        _ range: Range<Int>,
        _ body: (inout MutableSpan<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // SAFETY: as in `withBytes`.
        let bytes = unsafe UnsafeMutableBufferPointer(
            start: start(of: range).assumingMemoryBound(to: UInt8.self),
            count: range.count
        )
        var span = unsafe bytes.mutableSpan
        return try body(&span)
    }

    /// Moves the bytes of `range` so that they begin at `position`; the two places may overlap.
    package func move(_ range: Range<Int>, to position: Int) {
        let source = unsafe start(of: range)
        precondition(position >= 0, "a position is inside the buffer")
        // No overflow: `range.count` is at most `capacity`, which `start(of:)` has checked.
        precondition(position <= capacity - range.count, "the moved bytes fit into the buffer")
        // SAFETY: both ranges are inside the mapping, and memmove allows overlap.
        unsafe (memory + position).copyMemory(from: source, byteCount: range.count)
    }

    /// The address of a range, for a system call.
    @unsafe
    func start(of range: Range<Int>) -> UnsafeMutableRawPointer {
        precondition(
            range.lowerBound >= 0 && range.upperBound <= capacity,
            "a lent range is inside the buffer"
        )
        return unsafe memory + range.lowerBound
    }
}

#if canImport(Glibc)
private let anonymousMapping = MAP_ANONYMOUS | MAP_NORESERVE
#else
private let anonymousMapping = MAP_ANON
#endif
