/// Formats that begin with bytes of their own.
enum BinaryBeginning {
    /// What a file may be that begins so, most telling first; none where nothing is known.
    ///
    /// More than one, where signatures at different places agree with it: a TAR archive says what
    /// it is behind the name of its first entry, which may look like anything.
    static func types(of start: Span<UInt8>) -> [String] {
        var types: [String] = []
        var offsets: [Int] = []
        let hasBinaryByte = start.hasBinaryByte
        guard !start.isEmpty else { return [] }
        for signatures in [FileSignature.atStart[Int(start[0])], FileSignature.furtherOn] {
            for signature in signatures
            where signature.matches(start) && (hasBinaryByte || !signature.isWord)
                && !offsets.contains(signature.offset)
            {
                offsets.append(signature.offset)
                types.append(refined(signature.mediaType, start))
            }
        }
        if !offsets.contains(0), let type = MPEGStream.type(of: start) {
            types.insert(type, at: 0)
        }
        return types
    }

    /// What it would be for a signature of a few letters, whatever else it looks like.
    static func words(of start: Span<UInt8>) -> [String] {
        FileSignature.all.filter { $0.isWord && $0.matches(start) }.map(\.mediaType)
    }

    /// What a container holds, where the first bytes tell that too.
    private static func refined(_ type: String, _ start: Span<UInt8>) -> String {
        switch type {
        case "application/zip": ZIPContent.type(of: start)
        case "video/matroska": Matroska.type(of: start)
        default: type
        }
    }
}
