extension Span<UInt8> {
    /// True if these bytes are `text`, letters of US-ASCII compared without case.
    public func equalsIgnoringCase(_ text: String) -> Bool {
        let other = text.utf8
        guard count == other.count else { return false }
        var index = 0
        for byte in other {
            guard ASCII.lowercased(self[index]) == ASCII.lowercased(byte) else { return false }
            index += 1
        }
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
