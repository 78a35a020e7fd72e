import Wire

/// Reads a trailer section that has at least one byte before its final CRLF.
///
/// The syntax is that of header fields (RFC 9112 §7.1.2), so it is the same parser. Fields that
/// change how the message is framed, routed or authorised are dropped: they come too late.
struct TrailerParser: Sendable {
    private let maximumBytes: Int
    private var bytes: [UInt8] = []
    private var parser: FieldSectionParser

    /// The fields that are allowed, once the section is complete.
    private(set) var section: FieldSection?

    /// How many fields were not.
    private(set) var dropped = 0

    init(limits: BodyLimits) {
        maximumBytes = limits.trailerBytes
        parser = FieldSectionParser(
            maximumLineBytes: limits.trailerBytes,
            maximumLines: limits.trailerFields
        )
    }

    var isComplete: Bool { section != nil }

    /// Consumes `input` from `start`, where the body has reached `offset`.
    ///
    /// - Returns: How many bytes were consumed.
    mutating func consume(
        _ input: Span<UInt8>,
        from start: Int,
        at offset: Int
    ) throws(HTTPFault) -> Int {
        let rest = input.extracting(start..<input.count)
        let base = bytes.count
        let end = min(rest.count, max(0, maximumBytes - base))
        let consumed: Int
        do {
            consumed = try parser.consume(rest, from: 0, to: end, base: base)
        } catch {
            throw HTTPFault(error.reason, at: offset - base + error.offset)
        }
        guard parser.isComplete || consumed == rest.count else {
            throw HTTPFault(.trailerTooLarge, at: offset + consumed)
        }
        bytes.append(consumed, of: rest)
        if parser.isComplete {
            let all = FieldSection(bytes: bytes, lines: parser.lines)
            let allowed = all.lines.filter { $0.known.isAllowedInTrailer }
            dropped = all.lines.count - allowed.count
            section = FieldSection(bytes: bytes, lines: allowed)
        }
        return consumed
    }
}
