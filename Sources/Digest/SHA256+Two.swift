extension SHA256 {
    /// Appends to two messages at once, which takes less time than one after the other.
    ///
    /// - Parameters:
    ///   - message: The one message.
    ///   - bytes: What is appended to it.
    ///   - other: The other message.
    ///   - others: What is appended to that; most is gained if they are as many.
    package static func update(
        _ message: inout SHA256,
        with bytes: Span<UInt8>,
        and other: inout SHA256,
        with others: Span<UInt8>
    ) {
        guard message.compression == other.compression else {
            message.update(bytes)
            other.update(others)
            return
        }
        // Each begins with the rest of its own block.
        let start = min(bytes.count, message.missingCount)
        let otherStart = min(others.count, other.missingCount)
        message.update(bytes.extracting(..<start))
        other.update(others.extracting(..<otherStart))
        let blocks = min(bytes.count - start, others.count - otherStart) / 64
        let count = blocks * 64
        message.compression.fold(
            bytes.extracting(start..<start + count),
            into: &message.state,
            and: others.extracting(otherStart..<otherStart + count),
            into: &other.state
        )
        message.byteCount &+= UInt64(count)  // wraps as the type's comment says
        other.byteCount &+= UInt64(count)
        message.update(bytes.extracting((start + count)...))
        other.update(others.extracting((otherStart + count)...))
    }

    /// Bytes that the block in progress misses; none if there is no such block.
    private var missingCount: Int { pendingCount == 0 ? 0 : 64 - pendingCount }
}
