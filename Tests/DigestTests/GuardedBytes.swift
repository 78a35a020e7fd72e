import Glibc

/// Bytes next to an unmapped page, so that reading one byte too many ends the test.
@safe final class GuardedBytes {
    /// Which end of the bytes the unmapped page is at.
    enum Edge: CaseIterable {
        case before, after
    }

    /// The system would not map or protect pages, with its `errno`.
    struct Failure: Error {
        let errno: CInt
    }

    private let mapping: UnsafeMutableRawBufferPointer
    private let range: Range<Int>

    /// Copies `bytes` to fresh pages, and forbids all access to the page at their `edge`.
    init(_ bytes: [UInt8], edge: Edge = .after) throws(Failure) {
        let page = Int(getpagesize())
        let used = max(1, (bytes.count + page - 1) / page) * page
        let start = edge == .before ? page : used - bytes.count
        let access = PROT_READ | PROT_WRITE
        // SAFETY: the system chooses the place, so no memory in use is replaced.
        let base = unsafe mmap(nil, used + page, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        // SAFETY: the address is looked at, not followed.
        guard let base = unsafe base, Int(bitPattern: base) != -1 else {
            throw Failure(errno: errno)
        }
        unsafe mapping = UnsafeMutableRawBufferPointer(start: base, count: used + page)
        range = start..<start + bytes.count
        // SAFETY: the range lies in the mapping, which is writable, and outside the edge's page.
        unsafe (base + start).copyMemory(from: bytes, byteCount: bytes.count)
        // SAFETY: the first or the last page of the mapping, in which there is nothing.
        guard unsafe mprotect(edge == .before ? base : base + used, page, PROT_NONE) == 0 else {
            throw Failure(errno: errno)
        }
    }

    deinit {
        // SAFETY: the mapping is this object's own, and pointers to it are lent for a call only.
        _ = unsafe munmap(mapping.baseAddress, mapping.count)
    }

    /// The bytes as a kernel gets them; the pointer is valid during the call.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        // SAFETY: `init` wrote all bytes of the range, and nothing changes them.
        let bytes = unsafe UnsafeRawBufferPointer(mapping)[range]
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
