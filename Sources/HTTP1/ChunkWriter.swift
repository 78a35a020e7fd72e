import Wire

/// Writes the framing of the chunked transfer coding (RFC 9112 §7.1); content is not copied.
///
///     chunk = chunk-size CRLF chunk-data CRLF
package enum ChunkWriter {
    /// What follows the data of each chunk.
    package static let end: [UInt8] = [0x0D, 0x0A]

    /// The last chunk and an empty trailer section: it says that the body is finished.
    package static let last: [UInt8] = [0x30, 0x0D, 0x0A, 0x0D, 0x0A]

    /// The line of the last chunk, before a trailer section that has fields.
    package static let lastSize: [UInt8] = [0x30, 0x0D, 0x0A]

    /// Appends the line that opens a chunk with `size` bytes of data.
    ///
    /// A size of zero writes nothing: the chunk it would open ends the body, and only `last` may
    /// say so.
    package static func appendHeader(size: Int, to bytes: inout [UInt8]) {
        guard size > 0 else { return }
        var shift = (Int.bitWidth - 1 - size.leadingZeroBitCount) / 4 * 4
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: size >> shift & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            shift -= 4
        }
        bytes.append(ASCII.CR)
        bytes.append(ASCII.LF)
    }
}
