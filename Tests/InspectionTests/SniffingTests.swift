import Inspection
import TestSupport
import Testing

/// What a file begins like, in every cut, and what is made of it.
@Suite struct SniffingTests {
    /// The head of a first entry of an archive, up to its name.
    private static let zip = "PK\u{3}\u{4}" + String(repeating: ".", count: 26)

    /// Beginnings, one scalar a byte, and the type each tells.
    static let beginnings: [(String, String)] = [
        ("\u{89}PNG\r\n\u{1A}\n\0\0", "image/png"),
        ("\u{FF}\u{D8}\u{FF}\u{E0}", "image/jpeg"),
        ("GIF89a..", "image/gif"),
        ("RIFF....WEBPVP8 ", "image/webp"),
        ("RIFF....WAVEfmt ", "audio/wav"),
        ("RIFF....AVI LIST", "video/x-msvideo"),
        ("\0\0\0\u{18}ftypmp42", "video/mp4"),
        ("\0\0\0\u{18}ftypqt  ", "video/quicktime"),
        ("\0\0\0\u{18}ftypheic", "image/heic"),
        ("ID3\u{4}\0", "audio/mpeg"),
        ("OggS\0\u{2}", "application/ogg"),
        ("fLaC\0\0", "audio/flac"),
        ("%PDF-1.7\n", "application/pdf"),
        ("PK\u{3}\u{4}..........", "application/zip"),
        ("\u{1F}\u{8B}\u{8}\0", "application/gzip"),
        ("7z\u{BC}\u{AF}'\u{1C}", "application/x-7z-compressed"),
        ("Rar!\u{1A}\u{7}\u{1}\0", "application/vnd.rar"),
        ("\u{7F}ELF\u{2}\u{1}", "application/x-elf"),
        ("MZ\u{90}\0", "application/vnd.microsoft.portable-executable"),
        ("\0asm\u{1}\0\0\0", "application/wasm"),
        ("wOF2\0\u{1}", "font/woff2"),
        ("\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "application/x-ole-storage"),
        ("#!/bin/sh\n", "text/x-shellscript"),
        ("<?php echo 1;", "application/x-httpd-php"),
        (" \n<!DOCTYPE HTML><p>", "text/html"),
        ("<ScRiPt>", "text/html"),
        ("<?xml version=\"1.0\"?><svg/>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?><a/>", "text/xml"),
        ("{\"a\": 1}", "application/json"),
        ("[1, 2]", "application/json"),
        ("{ not json", "text/plain"),
        ("hello\n", "text/plain"),
        ("\u{FE}\u{FF}\0h", "text/plain"),
        ("\0\u{1}\u{2}\u{3}", "application/octet-stream"),
        ("GIF8", "text/plain"),
        ("GIF87a..", "image/gif"),
        ("BM....\0\0\0\0", "image/bmp"),
        ("\0\0\u{1}\0", "image/x-icon"),
        ("II*\0", "image/tiff"),
        ("MM\0*", "image/tiff"),
        ("\0\0\0\u{18}ftypavif", "image/avif"),
        ("\0\0\0\u{18}ftypavis", "image/avif"),
        ("\0\0\0\u{18}ftypheix", "image/heic"),
        ("\0\0\0\u{18}ftypmif1", "image/heif"),
        ("\0\0\0\u{18}ftypmsf1", "image/heif"),
        ("\0\0\0\u{C}JXL \r\n\u{87}\n", "image/jxl"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("\0\0\0\u{18}ftypM4A ", "audio/mp4"),
        ("\u{1A}E\u{DF}\u{A3}", "video/webm"),
        ("FORM....AIFF", "audio/aiff"),
        ("FORM....AIFC", "audio/aiff"),
        ("\u{FF}\u{FB}\u{90}", "audio/mpeg"),
        ("\u{FF}\u{FA}", "audio/mpeg"),
        ("\u{FF}\u{F3}", "audio/mpeg"),
        ("\u{FF}\u{F2}", "audio/mpeg"),
        ("\u{FF}\u{F1}", "audio/aac"),
        ("\u{FF}\u{F9}", "audio/aac"),
        ("MThd\0\0\0\u{6}", "audio/midi"),
        ("\0\0\u{1}\u{BA}", "video/mpeg"),
        ("\0\0\u{1}\u{B3}", "video/mpeg"),
        ("%!PS-Adobe-3.0", "application/postscript"),
        ("{\\rtf1", "application/rtf"),
        (zip + "mimetypeapplication/epub+zip", "application/epub+zip"),
        (
            zip + "mimetypeapplication/vnd.oasis.opendocument.text",
            "application/vnd.oasis.opendocument"
        ),
        (zip + "[Content_Types].xml", "application/vnd.openxmlformats-officedocument"),
        ("PK\u{5}\u{6}", "application/zip"),
        ("BZh9", "application/x-bzip2"),
        ("\u{FD}7zXZ\0", "application/x-xz"),
        ("(\u{B5}/\u{FD}", "application/zstd"),
        (String(repeating: "a", count: 257) + "ustar\0", "application/x-tar"),
        ("\u{CF}\u{FA}\u{ED}\u{FE}", "application/x-mach-binary"),
        ("\u{CE}\u{FA}\u{ED}\u{FE}", "application/x-mach-binary"),
        ("\u{FE}\u{ED}\u{FA}\u{CE}", "application/x-mach-binary"),
        ("\u{FE}\u{ED}\u{FA}\u{CF}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{1}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{2}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{3}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{34}", "application/java-vm"),
        ("wOFF\0\u{1}", "font/woff"),
        ("OTTO\0", "font/otf"),
        ("ttcf\0", "font/collection"),
        ("\0\u{1}\0\0\0", "font/ttf"),
        ("true\0", "font/ttf"),
        ("\u{EF}\u{BB}\u{BF}<html>", "text/html"),
        ("\u{EF}\u{BB}\u{BF}plain", "text/plain"),
    ]

    /// Beginnings that are two things at once, and such as only look like it.
    @Test(arguments: [
        ("GIF89a....PK\u{3}\u{4}", true), ("\u{FF}\u{D8}\u{FF}\u{E0}..<?php x", true),
        ("\u{89}PNG\r\n\u{1A}\n%PDF-1.4", true), ("%PDF-1.7 <?php", true),
        ("%PDF-1.7 PK\u{3}\u{4}", true), ("junk%PDF-1.4", true), ("\0\u{1}%PDF-", true),
        ("GIF89a....PK\u{3}\u{5}", false), ("%PDF-1.7 %PDF-", false), ("PK\u{3}\u{4}%PDF-", false),
        ("GIF89a....PPK\u{3}\u{4}", true), ("GIF89aPK\u{3}", false), ("<svg><?php", false),
        ("text <?php x", false), ("%PDF", false), ("hello", false),
    ])
    func whatIsTwoThingsIsNamed(beginning: String, isPolyglot: Bool) {
        let expected = isPolyglot ? ["type.polyglot"] : []
        for cut in cuts(of: Self.form(Self.bytes(beginning))) {
            #expect(Self.inspect(cut).findings.map(\.code) == expected)
        }
    }

    /// Only the first 512 bytes are looked at, and there to the last.
    @Test func whatIsHiddenFurtherBackIsNotSeen() {
        for (padding, isSeen) in [(502, true), (503, false), (600, false)] {
            let gif = Self.bytes("GIF89a") + [UInt8](repeating: 1, count: padding)
            let body = Self.form(gif + Self.bytes("PK\u{3}\u{4}...."))
            for cut in [[body[...]], body.indices.map { body[$0...$0] }] {
                let codes = Self.inspect(cut).findings.map(\.code)
                #expect(codes == (isSeen ? ["type.polyglot"] : []))
            }
        }
    }

    /// What is refused for a severity that the operator has set does not leave either.
    @Test(arguments: ["type.mismatch", "type.polyglot"])
    func whatTheOperatorBlocksNeverLeaves(code: String) throws {
        var policy = InspectionPolicy()
        policy.limits.holdBytes = 0
        try policy.findings.set(.block, of: code)
        let content = Self.bytes("%PDF-1.7 <?php") + [UInt8](repeating: 0x20, count: 2000)
        let body = Self.form(content, type: "image/png")
        for width in [1, 100, 511, 512, 513, body.count] {
            let cut = stride(from: 0, to: body.count, by: width).map {
                body[$0..<min($0 + width, body.count)]
            }
            let inspector = Self.inspect(cut, policy)
            #expect(inspector.refusal?.code == code)
            #expect(inspector.releasedOffset <= 5)
        }
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private static func form(_ content: [UInt8], type: String = "application/octet-stream")
        -> [UInt8]
    {
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
            + "Content-Type: \(type)\r\n\r\n"
        return Array(head.utf8) + content + Array("\r\n--b--".utf8)
    }

    private static func inspect(
        _ cut: [ArraySlice<UInt8>],
        _ policy: InspectionPolicy = InspectionPolicy()
    ) -> UploadInspector {
        var inspector = UploadInspector(
            contentType: [Array("multipart/form-data; boundary=b".utf8)[...]],
            declaredLength: nil,
            policy: policy
        )
        for piece in cut where inspector.refusal == nil { inspector.consume(piece.span) }
        if inspector.refusal == nil { inspector.finish() }
        return inspector
    }

    @Test(arguments: beginnings.indices)
    func aBeginningTellsTheType(_ index: Int) {
        let (beginning, type) = Self.beginnings[index]
        for cut in cuts(of: Self.form(Self.bytes(beginning))) {
            var inspector = Self.inspect(cut)
            #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == type)
            // A part that declares nothing contradicts nothing.
            #expect(inspector.findings.isEmpty)
        }
    }

    @Test(arguments: [
        ("image/jpeg", "\u{FF}\u{D8}\u{FF}\u{E0}", true), ("image/jpg", "\u{FF}\u{D8}\u{FF}", true),
        ("image/png", "\u{FF}\u{D8}\u{FF}\u{E0}", true), ("image/png", "<html>", false),
        ("image/png", "hello", false), ("image/png", "\u{7F}ELF", false),
        ("text/plain", "hello", true), ("text/csv", "a,b", true), ("text/plain", "MZ\0", false),
        ("text/plain", "<html>", true), ("application/pdf", "%PDF-1", true),
        ("application/pdf", "MZ\0\0", false), ("application/vnd.ms-excel", "PK\u{3}\u{4}", true),
        ("image/svg+xml", "<svg>", true), ("video/mp4", "\0\0\0\u{18}ftypM4A ", true),
        ("application/x-unknown", "\0\u{1}", true),
        ("image/x-png; a=b", "\u{89}PNG\r\n\u{1A}\n", true),
    ])
    func whatIsDeclaredIsComparedByKind(declared: String, beginning: String, fits: Bool) {
        let body = Self.form(Self.bytes(beginning), type: declared)
        let codes = Self.inspect([body[...]]).findings.map(\.code)
        #expect(codes == (fits ? [] : ["type.mismatch"]))
    }

    @Test func anEmptyFileAndAFieldAreOfNoType() {
        var empty = Self.inspect([Self.form([])[...]])
        #expect(empty.takeClosedParts(everything: true).first?.sniffedType == nil)
        let field = Array("--b\r\n\(UploadRow.field("a"))<html>\r\n--b--".utf8)
        var inspector = Self.inspect([field[...]])
        #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == nil)
    }

    /// Nothing of a file of a denied type leaves, however large the file and small the hold.
    @Test(arguments: ["text/html", "text/*"])
    func aDeniedTypeNeverLeaves(denied: String) {
        var policy = InspectionPolicy()
        policy.deniedTypes = [denied]
        policy.limits.holdBytes = 0
        for size in [7, 511, 512, 513, 2000] {
            let html = Array("<html>".utf8) + [UInt8](repeating: 0x20, count: size - 6)
            let body = Self.form(html)
            for width in [1, 100, 511, 512, 513, body.count] {
                let cut = stride(from: 0, to: body.count, by: width).map {
                    body[$0..<min($0 + width, body.count)]
                }
                let inspector = Self.inspect(cut, policy)
                #expect(inspector.refusal?.code == "type.denied")
                // The delimiter line before the header block may have left.
                #expect(inspector.releasedOffset <= 5)
            }
        }
        let harmless = Self.form(Self.bytes("%PDF-1.7") + [UInt8](repeating: 1, count: 3000))
        #expect(Self.inspect(harmless.indices.map { harmless[$0...$0] }, policy).refusal == nil)
    }

    @Test func whoDoesNotLookSeesNothing() {
        var policy = InspectionPolicy()
        policy.sniffs = false
        var inspector = Self.inspect(
            [Self.form(Self.bytes("<html>"), type: "image/png")[...]],
            policy
        )
        #expect(inspector.findings.isEmpty)
        #expect(inspector.takeClosedParts(everything: true).first?.sniffedType == nil)
    }

    @Test func theOperatorSaysHowMuchAMismatchMatters() throws {
        let body = Self.form(Self.bytes("MZ\0\0"), type: "image/png")
        var policy = InspectionPolicy()
        #expect(Self.inspect([body[...]], policy).refusal == nil)
        policy.profile = .strict
        #expect(Self.inspect([body[...]], policy).findings.map(\.severity) == [.warn])
        try policy.findings.set(.block, of: "type.mismatch")
        #expect(Self.inspect([body[...]], policy).refusal?.code == "type.mismatch")
    }
}
