extension [UInt8] {
    /// Appends the bytes of `span`.
    package mutating func append(_ span: Span<UInt8>) { append(span.count, of: span) }

    /// Appends the first `count` bytes of `span`.
    ///
    /// The capacity at least doubles when it grows, so that a head that arrives byte by byte
    /// costs linear time.
    package mutating func append(_ count: Int, of span: Span<UInt8>) {
        if capacity - self.count < count {
            reserveCapacity(Swift.max(self.count + count, self.count * 2, 256))
        }
        unsafe span.extracting(first: count).withUnsafeBufferPointer { source in
            // SAFETY: the pointer is used only inside the closure, and the span, unlike the
            // storage of this array, cannot be what is written.
            unsafe append(contentsOf: source)
        }
    }
}

extension Array {
    /// What is in it, which then is nowhere else.
    package mutating func taken() -> [Element] {
        var taken: [Element] = []
        swap(&taken, &self)
        return taken
    }
}
