/// Bytes written as text, with `^` before each byte at which something is expected.
///
/// Each character is one byte: U+00E9 is the byte E9, not its UTF-8.
struct Marked {
    var bytes: [UInt8] = []
    var offsets: [Int] = []

    init(_ text: String) {
        for scalar in text.unicodeScalars {
            if scalar == "^" {
                offsets.append(bytes.count)
            } else {
                bytes.append(UInt8(scalar.value))
            }
        }
    }
}
