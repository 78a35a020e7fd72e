extension Span<UInt8> {
    /// The index of the first byte that is not UTF-8, or nil.
    var firstInvalidUTF8: Int? {
        do {
            _ = try UTF8Span(validating: self)
            return nil
        } catch {
            return error.byteOffsets.lowerBound
        }
    }
}
