internal import HTTP1
internal import Transport
internal import Wire

/// Where the bytes of one body lie in a read buffer.
///
///     | gone | body: decoded, not yet passed on | raw: not yet decoded | free |
///
/// Decoded bytes are always contiguous, so what the inspector releases can be written in one piece.
/// Content stays where it was read. Only where chunk framing separates it from bytes that still
/// wait is the shorter of the two moved to close the gap.
struct BodyWindow {
    private(set) var body = 0..<0
    private(set) var raw = 0..<0

    /// Where the next read goes.
    func free(in buffer: ByteBuffer) -> Range<Int> { raw.upperBound..<buffer.capacity }

    var isEmpty: Bool { body.isEmpty && raw.isEmpty }

    /// `count` bytes were read into the free space.
    mutating func receive(_ count: Int) {
        raw = raw.lowerBound..<raw.upperBound + count
        if body.isEmpty { body = raw.lowerBound..<raw.lowerBound }
    }

    /// The first `count` raw bytes were read by somebody else: a head parser.
    mutating func skipRaw(_ count: Int) {
        raw = raw.lowerBound + count..<raw.upperBound
        if body.isEmpty { body = raw.lowerBound..<raw.lowerBound }
        if isEmpty { self = BodyWindow() }
    }

    /// The first `count` body bytes were passed on.
    mutating func pass(_ count: Int) {
        body = body.lowerBound + count..<body.upperBound
        if isEmpty { self = BodyWindow() }
    }

    /// Decodes raw bytes as far as they go: `body` grows by their content.
    ///
    /// - Parameters:
    ///   - buffer: Where the bytes lie.
    ///   - decoder: What tells content from framing.
    /// - Throws: The decoder's fault, with everything before it decoded.
    mutating func decode(
        in buffer: ByteBuffer,
        with decoder: inout BodyDecoder
    ) throws(Fault<HTTPReason>) {
        while !raw.isEmpty, !decoder.isComplete {
            let run = try buffer.withBytes(raw) { bytes throws(Fault<HTTPReason>) in
                try decoder.next(in: bytes)
            }
            guard run.framing + run.content > 0 else { break }
            take(run, in: buffer)
        }
        if body.isEmpty, raw.isEmpty { self = BodyWindow() }
    }

    /// Makes all raw bytes content, where there is no framing, and returns how many they are.
    mutating func takeRaw() -> Int {
        let count = raw.count
        let start = body.isEmpty ? raw.lowerBound : body.lowerBound
        body = start..<raw.upperBound
        raw = raw.upperBound..<raw.upperBound
        return count
    }

    /// Moves the border between body and raw bytes past `run`.
    private mutating func take(_ run: BodyDecoder.Run, in buffer: ByteBuffer) {
        let content = raw.lowerBound + run.framing..<raw.lowerBound + run.framing + run.content
        raw = content.upperBound..<raw.upperBound
        if body.isEmpty {
            body = content
        } else if content.isEmpty || body.upperBound == content.lowerBound {
            body = body.lowerBound..<body.upperBound + content.count
        } else if body.count <= content.count {
            let start = content.lowerBound - body.count
            buffer.move(body, to: start)
            body = start..<content.upperBound
        } else {
            buffer.move(content, to: body.upperBound)
            body = body.lowerBound..<body.upperBound + content.count
        }
    }

    /// Moves what waits to the front of the buffer, to make room behind it.
    mutating func compact(in buffer: ByteBuffer) {
        buffer.move(body, to: 0)
        buffer.move(raw, to: body.count)
        raw = body.count..<body.count + raw.count
        body = 0..<body.count
    }
}
