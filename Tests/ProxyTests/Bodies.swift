import HTTP1

/// Bytes of any value.
func randomBytes(
    _ count: Int,
    using random: inout some RandomNumberGenerator
) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count {
        let word = random.next()
        for shift in stride(from: UInt64(0), to: 64, by: 8) where bytes.count < count {
            bytes.append(UInt8(truncatingIfNeeded: word >> shift))
        }
    }
    return bytes
}

/// `body` in chunks of random sizes.
func chunked(
    _ body: [UInt8],
    largest: Int,
    using random: inout some RandomNumberGenerator
) -> [UInt8] {
    var encoded: [UInt8] = []
    var rest = body[...]
    while !rest.isEmpty {
        let chunk = rest.prefix(Int.random(in: 1...largest, using: &random))
        rest = rest.dropFirst(chunk.count)
        ChunkWriter.appendHeader(size: chunk.count, to: &encoded)
        encoded += chunk
        encoded += ChunkWriter.end
    }
    return encoded + ChunkWriter.last
}

/// A form of one file.
func form(_ content: [UInt8], name: String = "f") -> [UInt8] {
    Array(
        """
        --b\r
        Content-Disposition: form-data; name="\(name)"; filename="x.bin"\r
        Content-Type: application/octet-stream\r
        \r\n
        """.utf8
    ) + content + Array("\r\n--b--\r\n".utf8)
}

/// The media type of `form`.
let formType = "multipart/form-data; boundary=b"
