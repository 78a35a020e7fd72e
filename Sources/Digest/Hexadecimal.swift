extension Span<UInt8> {
    /// These bytes as hexadecimal digits, letters in lower case; one allocation.
    package var hexadecimal: String {
        let bytes = self
        return unsafe String(unsafeUninitializedCapacity: bytes.count * 2) { digits in
            for index in bytes.indices {
                // SAFETY: the buffer holds at least the digits asked for, two for each byte, and
                // the loop writes each of them once.
                unsafe digits.initializeElement(at: index * 2, to: digit(bytes[index] >> 4))
                unsafe digits.initializeElement(at: index * 2 + 1, to: digit(bytes[index] & 15))
            }
            return bytes.count * 2
        }
    }

    private func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }
}
