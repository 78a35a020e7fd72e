extension Span<UInt8> {
    /// True if these bytes are `text`, letters of US-ASCII compared without case.
    public func equalsIgnoringCase(_ text: String) -> Bool {
        guard count == text.utf8.count else { return false }
        let other = text.utf8Span.span
        for index in indices
        where ASCII.lowercased(self[index]) != ASCII.lowercased(other[index]) {
            return false
        }
        return true
    }

    /// True if `text` stands at `offset`.
    package func holds(_ text: String, at offset: Int) -> Bool {
        let other = text.utf8Span.span
        guard offset >= 0, count - offset >= other.count else { return false }
        for index in other.indices where self[offset + index] != other[index] { return false }
        return true
    }

    /// These bytes as text; each sequence that is not UTF-8 becomes U+FFFD.
    public var repairedText: String {
        unsafe withUnsafeBufferPointer { bytes in
            // SAFETY: the pointer is used only inside the closure.
            unsafe String(decoding: bytes, as: UTF8.self)
        }
    }
}
