import Glibc

/// Bytes that end at an unmapped page, so that reading one byte too many ends the test.
@safe final class GuardedBytes {
    /// The system would not map or protect pages, with its `errno`.
    struct Failure: Error {
        let errno: CInt
    }

    private let mapping: UnsafeMutableRawBufferPointer
    private let count: Int

    /// Copies `bytes` to the end of fresh pages, and forbids all access to the page after them.
    init(_ bytes: [UInt8]) throws(Failure) {
        let page = Int(getpagesize())
        let used = max(1, (bytes.count + page - 1) / page) * page
        let access = PROT_READ | PROT_WRITE
        // SAFETY: the system chooses the place, so no memory in use is replaced.
        let base = unsafe mmap(nil, used + page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // SAFETY: the address is looked at, not followed.
        guard let base = unsafe base, Int(bitPattern: base) != -1 else {
            throw Failure(errno: errno)
        }
        unsafe mapping = UnsafeMutableRawBufferPointer(start: base, count: used + page)
        count = bytes.count
        // SAFETY: `used` is at least `bytes.count`, and pages up to `used` are writable.
        unsafe (base + (used - bytes.count)).copyMemory(from: bytes, byteCount: bytes.count)
        // SAFETY: the last page of the mapping, in which there is nothing.
        guard unsafe mprotect(base + used, page, PROT_NONE) == 0 else {
            throw Failure(errno: errno)
        }
    }

    deinit {
        // SAFETY: the mapping is this object's own, and pointers to it are lent for a call only.
        _ = unsafe munmap(mapping.baseAddress, mapping.count)
    }

    /// The bytes as a kernel gets them; the pointer is valid during the call.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        let end = unsafe mapping.count - Int(getpagesize())
        // SAFETY: `init` wrote all bytes of the range, and nothing changes them.
        let bytes = unsafe UnsafeRawBufferPointer(mapping)[end - count..<end]
        return unsafe body(
            UnsafeRawBufferPointer(rebasing: bytes).bindMemory(to: UInt8.self)
        )
    }

    /// The bytes as a span.
    func withSpan<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        // SAFETY: the span cannot leave the call, and the pointer is valid until it returns.
        unsafe withBytes { unsafe body(Span(_unsafeElements: $0)) }
    }
}
