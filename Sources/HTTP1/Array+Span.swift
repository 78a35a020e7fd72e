extension [UInt8] {
    /// Appends the first `count` bytes of `span`.
    ///
    /// The capacity at least doubles when it grows, so that a head which arrives byte by byte
    /// costs linear time.
    mutating func append(_ count: Int, of span: Span<UInt8>) {
        if capacity - self.count < count {
            reserveCapacity(Swift.max(self.count + count, self.count * 2, 256))
        }
        append(addingCapacity: count) { output in
            for index in 0..<count { output.append(span[index]) }
        }
    }
}
