/// A set of bytes: two 64-bit words for US-ASCII, one flag for all bytes above it.
///
/// Membership is a shift and a mask, so a class can be asked for every byte of a head.
public struct ByteClass: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64
    @usableFromInline let includesNonASCII: Bool

    @inlinable public init(low: UInt64, high: UInt64, includesNonASCII: Bool = false) {
        self.low = low
        self.high = high
        self.includesNonASCII = includesNonASCII
    }

    // Left to itself the compiler makes it a call, which takes a third of the time of chunk
    // extensions.
    @inlinable @inline(__always) public func contains(_ byte: UInt8) -> Bool {
        if byte >= 128 { return includesNonASCII }
        return (byte < 64 ? low >> UInt64(byte) : high >> UInt64(byte & 63)) & 1 == 1
    }
}

extension ByteClass {
    /// The first index at or after `start` of a byte outside this class, or the end of the span.
    package func end(ofRunIn bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < bytes.count, contains(bytes[index]) { index += 1 }
        return index
    }
}

extension ByteClass {
    /// RFC 9110 §5.6.2: `tchar`, what field names, methods and parameter names are made of.
    @inlinable public static var token: ByteClass {
        ByteClass(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE)
    }

    /// RFC 9110 §5.5: `field-vchar`, SP and HTAB, with obs-text; everything else is a control.
    @inlinable public static var fieldValue: ByteClass {
        ByteClass(
            low: 0xFFFF_FFFF_0000_0200,
            high: 0x7FFF_FFFF_FFFF_FFFF,
            includesNonASCII: true
        )
    }

    /// RFC 2046 §5.1.1: `bchars`, what a boundary is made of (its last byte is not a space).
    @inlinable public static var boundary: ByteClass {
        ByteClass(low: 0xA7FF_FB81_0000_0000, high: 0x07FF_FFFE_87FF_FFFE)
    }

    @inlinable public static var digit: ByteClass {
        ByteClass(low: 0x03FF_0000_0000_0000, high: 0)
    }

    @inlinable public static var hexDigit: ByteClass {
        ByteClass(low: 0x03FF_0000_0000_0000, high: 0x0000_007E_0000_007E)
    }
}
