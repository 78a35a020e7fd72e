internal import Wire

/// Finds the request in what `curl --trace` or `curl --trace-ascii` has written, as it streams.
///
///     dump     = *( [ time ] ( "== Info:" text / section ) )
///     section  = ( "=> Send " / "<= Recv " ) what ", " size " bytes (0x" hex ")" LF *line
///     line     = offset ": " ( 1*16( 2HEXDIG SP ) characters / text ) LF
///
/// The sections sent as header and as data, one after the other, are the request. A hexadecimal
/// dump has every byte. A text dump breaks a line at each CRLF, and shows every byte that cannot be
/// printed as a dot: offsets and sizes hold, but bytes, and so digests, do not. Whether a line of
/// text ended with CRLF follows from the offset of the next, or from the size of the section.
package struct CurlTraceDecoder {
    /// Which section the lines belong to.
    private enum Section {
        case other
        /// Bytes on their way to the server, of which there are `size`.
        case sent(size: Int)
    }

    private enum Form {
        case unknown, hexadecimal, text
    }

    private var section = Section.other
    private var form = Form.unknown

    /// The line that is being read, without its end; of one that is too long, only the beginning.
    private var line: [UInt8] = []
    private static let longestLine = 4 << 10

    /// A line of text whose end is not known before the next offset is.
    private var pending: (offset: Int, text: ArraySlice<UInt8>)?

    private var sent: [UInt8] = []

    package init() {}

    /// True where bytes that cannot be printed are lost.
    package var isLossy: Bool { if case .text = form { true } else { false } }

    /// True for a file that begins as a dump does.
    package static func matches(_ beginning: ArraySlice<UInt8>) -> Bool {
        let line = beginning.prefix(256).prefix { $0 != ASCII.LF }
        return marker(of: line).map { $0 != .text } ?? false
    }

    /// Reads the next bytes of the dump, and returns the bytes of the request that they hold.
    package mutating func consume(_ piece: ArraySlice<UInt8>) -> [UInt8] {
        sent.removeAll(keepingCapacity: true)
        for byte in piece {
            if byte == ASCII.LF {
                endLine()
            } else if line.count < Self.longestLine {
                line.append(byte)
            }
        }
        return sent
    }

    /// Ends the dump, and returns the last bytes of the request.
    package mutating func finish() -> [UInt8] {
        sent.removeAll()
        if !line.isEmpty { endLine() }
        endSection()
        return sent
    }

    // MARK: Lines

    private enum Marker {
        case information, sent, received, text
    }

    /// What a line begins, after the time of day that `--trace-time` puts before it.
    private static func marker(of line: ArraySlice<UInt8>) -> Marker? {
        var rest = line
        if let first = rest.first, ByteClass.digit.contains(first),
            let space = rest.firstIndex(of: ASCII.SP), space - rest.startIndex >= 8
        {
            rest = rest[(space + 1)...]
        }
        if rest.starts(with: "== Info:".utf8) { return .information }
        if rest.starts(with: "=> Send ".utf8) { return .sent }
        if rest.starts(with: "<= Recv ".utf8) { return .received }
        return rest.isEmpty ? nil : .text
    }

    private mutating func endLine() {
        if line.last == ASCII.CR { line.removeLast() }
        defer { line.removeAll(keepingCapacity: true) }
        switch Self.marker(of: line[...]) {
        case .sent:
            endSection()
            section = Self.size(in: line).map { .sent(size: $0) } ?? .other
        case .information, .received:
            endSection()
            section = .other
        case .text:
            if case .sent = section { readData() }
        case nil:
            break
        }
    }

    /// The size of a section of headers or data; nil of any other, such as TLS records.
    private static func size(in line: [UInt8]) -> Int? {
        let words = line.split(separator: ASCII.SP)
        guard let bytes = words.lastIndex(where: { $0.elementsEqual("bytes".utf8) }), bytes >= 2,
            ["header,", "data,"].contains(where: { words[bytes - 2].elementsEqual($0.utf8) }),
            !words.contains(where: { $0.elementsEqual("SSL".utf8) })
        else { return nil }
        return Int(String(decoding: words[bytes - 1], as: UTF8.self))
    }

    private mutating func readData() {
        guard let colon = line.firstIndex(of: ASCII.colon),
            let offset = Int(String(decoding: line[..<colon], as: UTF8.self), radix: 16),
            offset >= 0
        else { return }
        let content = line[min(colon + 2, line.count)...]
        if case .unknown = form {
            form = Self.hexadecimal(content).isEmpty ? .text : .hexadecimal
        }
        if case .hexadecimal = form {
            sent += Self.hexadecimal(content)
        } else {
            endText(at: offset)
            pending = (offset, content)
        }
    }

    /// The bytes of up to 16 groups of two digits and a space.
    private static func hexadecimal(_ content: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = content
        while bytes.count < 16, rest.count >= 3 {
            let group = rest.prefix(3)
            guard group.last == ASCII.SP, group.first != ASCII.SP,
                let byte = UInt8(String(decoding: group.dropLast(), as: UTF8.self), radix: 16)
            else { break }
            bytes.append(byte)
            rest = rest.dropFirst(3)
        }
        return bytes
    }

    /// The line of text ends before `offset`; two bytes that it does not show are CRLF.
    private mutating func endText(at offset: Int) {
        guard let line = pending else { return }
        pending = nil
        sent += line.text
        let (count, overflow) = offset.subtractingReportingOverflow(line.offset)
        if !overflow, count == line.text.count + 2 { sent += [ASCII.CR, ASCII.LF] }
    }

    private mutating func endSection() {
        if case .sent(let size) = section { endText(at: size) }
        pending = nil
    }
}
