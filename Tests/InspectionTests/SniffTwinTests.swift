import Inspection
import TestSupport
import Testing

/// The sniffer against the standard as its tables have it.
@Suite struct SniffTwinTests {
    /// Where the standard has a name, and the sniffer one for what is built on it.
    private static let refined: [String: [String]] = [
        "text/html": ["image/svg+xml"],
        "text/xml": ["image/svg+xml", "application/xhtml+xml"],
        "video/mp4": [
            "image/avif", "image/heic", "image/heif", "image/x-canon-cr3", "video/quicktime",
            "audio/mp4", "video/3gpp", "video/3gpp2",
        ],
        // The font with a table of a database behind its head.
        "font/ttf": ["application/x-msaccess"],
        // Text behind a byte order mark.
        "text/plain": [
            "text/html", "text/xml", "image/svg+xml", "application/xhtml+xml",
        ],
    ]

    /// What the standard gives a name only where more than the sniffer needs is there.
    private static let looser = ["video/mp4", "audio/mpeg"]

    private static func agree(_ file: [UInt8], _ type: String?) -> Bool {
        let standard = NaiveSniffer.type(of: file)
        guard type != standard else { return true }
        guard let type, let standard else { return false }
        if refined[standard]?.contains(type) == true {
            return standard != "text/plain"
                || [[0xEF, 0xBB, 0xBF], [0xFE, 0xFF], [0xFF, 0xFE]].contains {
                    file.starts(with: $0)
                }
        }
        if standard == "application/zip" {
            return ["application/epub+zip", "application/java-archive", "application/vnd."]
                .contains { type.hasPrefix($0) }
        }
        // A mark of two bytes, of which the standard wants to see four.
        if type == "text/plain", file.count < 4, [0xFE, 0xFF].contains(file[0]) { return true }
        guard standard == "text/plain" || standard == "application/octet-stream" else {
            return false
        }
        let isStandard =
            NaiveSniffer.rows.contains { $0.type == type } || type == "application/octet-stream"
        return looser.contains(type) || !isStandard
            // The other mark of RAR, of AIFF, of fonts, and of archives.
            || ["application/vnd.rar", "audio/aiff", "font/ttf", "application/zip"].contains(type)
            // A TAR archive or EBML is no text, whatever it begins with.
            || type == "video/webm"
    }

    private static func check(_ files: [[UInt8]], _ source: SourceLocation = #_sourceLocation) {
        let types = SniffProbe.types(of: files)
        #expect(types.count == files.count, sourceLocation: source)
        for (file, type) in zip(files, types) where !agree(file, type) {
            let shown = file.prefix(60).map { String($0, radix: 16) }.joined(separator: " ")
            let standard = NaiveSniffer.type(of: file) ?? "nothing"
            Issue.record(
                "\(type ?? "nothing") and not \(standard): \(shown) (\(file.count) bytes)",
                sourceLocation: source
            )
        }
    }

    /// The bytes of a row, with what a mask leaves open filled in.
    private static func sample(
        _ row: NaiveSniffer.Row,
        _ random: inout SplitMix64
    ) -> [UInt8] {
        var bytes = zip(row.pattern, row.mask).map { wanted, mask in
            wanted | .random(in: 0...255, using: &random) & ~mask
        }
        if row.endsTag { bytes.append(NaiveSniffer.tagEnds.randomElement(using: &random) ?? 0x3E) }
        return bytes
    }

    @Test func everySignatureOfTheStandardIsKnown() {
        var random = SplitMix64(seed: 1)
        var files: [[UInt8]] = []
        for row in NaiveSniffer.rows {
            let bytes = Self.sample(row, &random)
            files += [bytes, bytes + [0], bytes + Array(repeating: 0, count: 600)]
            files.append(bytes + Array("and so on".utf8))
            for space in [" ", "\t\n", "\u{C}\r  "] { files.append(Array(space.utf8) + bytes) }
            // One byte too early, and one missing.
            files += [Array(bytes.dropFirst()), Array(bytes.dropLast()), [0x21] + bytes]
        }
        Self.check(files)
        let types = SniffProbe.types(
            of: NaiveSniffer.rows.map { Self.sample($0, &random) + [0, 0] }
        )
        for (row, type) in zip(NaiveSniffer.rows, types) { #expect(type == row.type) }
    }

    @Test func filmsAndSoundsOfTheStandardAreKnown() {
        let mp4 = SniffProbe.bytes("\0\0\0\u{18}ftypmp42\0\0\0\0isommp42")
        let late = SniffProbe.bytes("\0\0\0\u{18}ftypisom\0\0\u{2}\0iso2mp41")
        let webm = SniffProbe.bytes("\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{84}webmB")
        let frame = [UInt8]([0xFF, 0xFB, 0x90, 0x00]) + Array(repeating: 0, count: 413)
        let types = [mp4, late, webm, frame + frame].map { NaiveSniffer.type(of: $0) }
        #expect(types == ["video/mp4", "video/mp4", "video/webm", "audio/mpeg"])
        #expect(SniffProbe.types(of: [mp4, late, webm, frame + frame]) == types)
    }

    /// Every row, with bytes changed, put in and taken out.
    @Test(arguments: [2, 3, 4] as [UInt64])
    func mutatedSignaturesAgree(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var files: [[UInt8]] = []
        for _ in 0..<1200 {
            guard let row = NaiveSniffer.rows.randomElement(using: &random) else { continue }
            var bytes = Self.sample(row, &random)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                bytes.append([0x00, 0x20, 0x3E, 0x61].randomElement(using: &random) ?? 0)
            }
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes[place] = .random(in: 0...255, using: &random)
            case 2: bytes.insert(.random(in: 0...255, using: &random), at: place)
            default: bytes.remove(at: place)
            }
            files.append(bytes)
        }
        Self.check(files)
    }

    @Test func randomBytesAgree() {
        var random = SplitMix64(seed: 5)
        let files = (0..<1500).map { _ -> [UInt8] in
            let few: [UInt8] = [0, 1, 0x0A, 0x20, 0x3C, 0x3E, 0x41, 0x50, 0x61, 0xBF, 0xFE, 0xFF]
            let isFew = Bool.random(using: &random)
            return (0..<Int.random(in: 0...40, using: &random)).map { _ in
                isFew
                    ? few.randomElement(using: &random) ?? 0
                    : .random(in: 0...255, using: &random)
            }
        }
        Self.check(files)
    }

    /// Every length from nothing to beyond what is looked at, of text and of bytes.
    @Test(arguments: ["", "<html>", "\u{89}PNG\r\n\u{1A}\n", "PK\u{3}\u{4}", "BM", "hello "])
    func everyLengthAgrees(beginning: String) {
        for filler in [0x61, 0x00] as [UInt8] {
            let bytes = SniffProbe.bytes(beginning) + [UInt8](repeating: filler, count: 600)
            Self.check((0...600).map { Array(bytes.prefix($0)) })
        }
    }
}
