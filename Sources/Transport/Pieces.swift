/// What is to be written next: a prefix, a run of a buffer, and a suffix, in this order.
///
/// One write for a message head and its first bytes, or for a chunk with its framing: the bytes
/// of the body are written from where they lie, and never copied. `advance(by:)` takes off what a
/// write has accepted; what is left is written again later.
package struct Pieces {
    private var prefix: [UInt8]
    private var prefixOffset: Int
    private var buffer: ByteBuffer?

    /// The part of the run that is not written yet; its bytes must stay as they are.
    package private(set) var run: Range<Int>

    private var suffix: [UInt8]
    private var suffixOffset = 0

    /// Nothing, unless told otherwise; `prefixOffset` bytes of the prefix are left out.
    package init(
        prefix: [UInt8] = [],
        from prefixOffset: Int = 0,
        run: Range<Int> = 0..<0,
        of buffer: ByteBuffer? = nil,
        suffix: [UInt8] = []
    ) {
        precondition(
            prefixOffset >= 0 && prefixOffset <= prefix.count,
            "an offset is inside the prefix"
        )
        precondition(buffer != nil || run.isEmpty, "a run is a run of a buffer")
        self.prefix = prefix
        self.prefixOffset = prefixOffset
        self.run = run
        self.buffer = buffer
        self.suffix = suffix
    }

    /// How many bytes are still to be written.
    package var count: Int {
        // Three things in memory at once cannot exceed an Int.
        prefix.count - prefixOffset + run.count + suffix.count - suffixOffset
    }

    package var isEmpty: Bool { count == 0 }

    /// Takes off the first `count` bytes: they are written.
    package mutating func advance(by count: Int) {
        precondition(count >= 0 && count <= self.count, "no more is written than there was")
        let ofPrefix = min(count, prefix.count - prefixOffset)
        prefixOffset += ofPrefix
        let ofRun = min(count - ofPrefix, run.count)
        run = run.lowerBound + ofRun..<run.upperBound
        suffixOffset += count - ofPrefix - ofRun
    }

    /// Lends the addresses of what is left, for a system call.
    @unsafe
    func withAddresses<Result>(
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        // SAFETY: the addresses are of arrays and a buffer that live until `body` returns, and
        // `start(of:)` checks the run.
        unsafe prefix.withUnsafeBytes { prefix in
            unsafe suffix.withUnsafeBytes { suffix in
                let run = unsafe UnsafeRawBufferPointer(
                    start: buffer?.start(of: run),
                    count: run.count
                )
                return unsafe body(
                    UnsafeRawBufferPointer(rebasing: prefix[prefixOffset...]),
                    run,
                    UnsafeRawBufferPointer(rebasing: suffix[suffixOffset...])
                )
            }
        }
    }
}
