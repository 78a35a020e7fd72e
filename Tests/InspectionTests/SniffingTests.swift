import Inspection
import TestSupport
import Testing

/// What a file begins like, in every cut, and what is made of it.
@Suite struct SniffingTests {
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
    ]

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
