import Wire

/// Which trace a request belongs to (W3C Trace Context §3.2).
///
///     traceparent = version "-" trace-id "-" parent-id "-" trace-flags
///
/// Two, 32, 16 and 2 hexadecimal digits, lower case alone; neither id is all zeros. Version `ff` is
/// none. A later version may have more behind a further dash; version `00` has nothing.
package struct TraceParent: Equatable, Sendable {
    /// As it is sent.
    package let text: String

    /// The 32 digits that name the trace.
    package let traceID: String

    /// Reads the field; nil where it is not there exactly once, and valid.
    package init?(_ fields: FieldSection) {
        guard let line = fields.firstLine(.traceparent), fields.secondLine(.traceparent) == nil
        else { return nil }
        let value = fields.bytes.span.extracting(line.value)
        guard Self.isValid(value) else { return nil }
        text = value.repairedText
        traceID = value.extracting(3..<35).repairedText
    }

    /// Begins a trace: the ids are made from random bits, of which a zero is made one.
    ///
    /// The flag says "sampled": whoever sends it has a record with this trace.
    package init(traceBits: UInt128, parentBits: UInt64) {
        let trace = max(1, traceBits)
        let (high, low) = (
            UInt64(truncatingIfNeeded: trace >> 64), UInt64(truncatingIfNeeded: trace)
        )
        var bytes = InlineArray<55, UInt8>(repeating: ASCII.dash)
        bytes[0] = UInt8(ascii: "0")
        bytes[1] = UInt8(ascii: "0")
        Self.write(high, to: &bytes, at: 3)
        Self.write(low, to: &bytes, at: 19)
        Self.write(max(1, parentBits), to: &bytes, at: 36)
        bytes[53] = UInt8(ascii: "0")
        bytes[54] = UInt8(ascii: "1")
        text = bytes.span.repairedText
        traceID = bytes.span.extracting(3..<35).repairedText
    }

    private static func isValid(_ value: Span<UInt8>) -> Bool {
        guard value.count >= 55 else { return false }
        var isFirstVersion = true
        var isUnknownVersion = true
        var hasTrace = false
        var hasParent = false
        for index in 0..<55 {
            let byte = value[index]
            switch index {
            case 2, 35, 52:
                guard byte == ASCII.dash else { return false }
            default:
                guard ByteClass.lowerHex.contains(byte) else { return false }
                let isZero = byte == UInt8(ascii: "0")
                switch index {
                case ..<2:
                    isFirstVersion = isFirstVersion && isZero
                    isUnknownVersion = isUnknownVersion && byte == UInt8(ascii: "f")
                case ..<35: hasTrace = hasTrace || !isZero
                case ..<52: hasParent = hasParent || !isZero
                default: break
                }
            }
        }
        guard !isUnknownVersion, hasTrace, hasParent else { return false }
        return value.count == 55 || !isFirstVersion && value[55] == ASCII.dash
    }

    /// Writes 16 digits; `String(_:radix:)` divides, and takes several times as long.
    private static func write(_ bits: UInt64, to bytes: inout InlineArray<55, UInt8>, at start: Int)
    {
        for place in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: bits >> UInt64(60 - 4 * place)) & 15
            bytes[start + place] =
                digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + (digit - 10)
        }
    }
}

extension FieldSection {
    /// What the client calls its request in X-Request-Id, if it does once, in up to 128 letters,
    /// digits and `-._~+/=:@`: nothing that a log, a shell or a page could read as its own.
    package var requestID: String? {
        guard let line = firstLine(.xRequestID), secondLine(.xRequestID) == nil,
            (1...128).contains(line.value.count)
        else { return nil }
        for index in line.value where !ByteClass.requestID.contains(bytes[index]) { return nil }
        return text(of: line.value)
    }
}

extension ByteClass {
    static var lowerHex: ByteClass {
        ByteClass(low: 0x03FF_0000_0000_0000, high: 0x0000_007E_0000_0000)
    }

    static var requestID: ByteClass {
        ByteClass(low: 0x27FF_E800_0000_0000, high: 0x47FF_FFFE_87FF_FFFF)
    }
}
