internal import CKernels

extension Span<UInt8> {
    /// The first index at or after `start` of a CR or LF that `needle` directly follows, or nil.
    ///
    /// The needle must not be empty and must contain neither CR nor LF; then the search is linear
    /// in the length of the span, whatever its bytes are.
    public func firstLineEnd(before needle: Span<UInt8>, from start: Int) -> Int? {
        let region = extracting(start...)
        let found = unsafe region.withUnsafeBufferPointer { bytes in
            unsafe needle.withUnsafeBufferPointer { wanted in
                guard let base = bytes.baseAddress, let first = wanted.baseAddress else {
                    return bytes.count
                }
                // SAFETY: both pointers are used only during the call, which reads no more than
                // the given counts.
                return unsafe weir_find_line_end_before(base, bytes.count, first, wanted.count)
            }
        }
        return found < region.count ? start + found : nil
    }
}
