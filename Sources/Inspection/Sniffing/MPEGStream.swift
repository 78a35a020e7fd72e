/// MPEG streams, which have no head of their own and begin with a frame or a packet.
enum MPEGStream {
    static func type(of start: Span<UInt8>) -> String? {
        if start.count > 188, start[0] == sync, start[188] == sync, start.hasBinaryByte {
            // Packets of 188 bytes, of which the first three are in sight, or all there are.
            return start.count <= 376 || start[376] == sync ? "video/mp2t" : nil
        }
        return audioType(of: start)
    }

    private static let sync = UInt8(ascii: "G")

    /// ```
    /// 11111111 111VVLLC BBBBRRPx    ; version, layer, no checksum; bit rate, sampling rate, padding
    /// ```
    ///
    /// The standard also asks for a second frame (WHATWG MIME Sniffing §6.2.3), which is often
    /// further away than 512 bytes.
    private static func audioType(of start: Span<UInt8>) -> String? {
        guard start.count >= 3, start[0] == 0xFF, start[1] & 0xE0 == 0xE0 else { return nil }
        let version = start[1] >> 3 & 3
        let layer = start[1] >> 1 & 3
        let samplingRate = start[2] >> 2
        // ADTS: no layer, and one of thirteen sampling rates.
        if layer == 0 { return version >= 2 && samplingRate & 15 < 13 ? "audio/aac" : nil }
        // Layer I is long gone, and its frames begin like a byte order mark.
        guard version != 1, layer != 3 else { return nil }
        let bitRate = start[2] >> 4
        return bitRate != 15 && bitRate != 0 && samplingRate & 3 != 3 ? "audio/mpeg" : nil
    }
}
