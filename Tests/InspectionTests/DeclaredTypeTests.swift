import Inspection
import TestSupport
import Testing

/// What clients declare, against what files begin like.
@Suite struct DeclaredTypeTests {
    /// Beginnings by a short name.
    private static let files: [String: String] = [
        "text": "a,b\nc,d\n", "bytes": "\0\u{1}\u{2}", "html": "<html>", "xml": "<?xml?><a/>",
        "xhtml": "<?xml?><html>", "svg": "<svg>", "json": "{\"a\": 1}", "shell": "#!/bin/sh",
        "php": "<?php x", "bat": "@echo off", "asp": "<% x %>", "jpeg": "\u{FF}\u{D8}\u{FF}",
        "png": "\u{89}PNG\r\n\u{1A}\n", "heif": "\0\0\0\u{18}ftypmif1",
        "mp4": "\0\0\0\u{18}ftypisom",
        "m4a": "\0\0\0\u{18}ftypM4A ", "ogg": "OggS\0", "mp3": "ID3\u{3}", "wav": "RIFF....WAVE",
        "webm": "\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{84}webmB", "mkv": "\u{1A}E\u{DF}\u{A3}",
        "asf": "0&\u{B2}u\u{8E}f\u{CF}\u{11}\u{A6}\u{D9}", "pdf": "%PDF-1.7",
        "ps": "%!PS-Adobe-3.0", "rtf": "{\\rtf1", "zip": "PK\u{3}\u{4}",
        "gzip": "\u{1F}\u{8B}\u{8}",
        "ole": "\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "7z": "7z\u{BC}\u{AF}'\u{1C}",
        "ooxml": SniffRows.entry("[Content_Types].xml"),
        "docx": SniffRows.entry("word/document.xml"), "jar": SniffRows.entry("META-INF/"),
        "odt": SniffRows.entry("mimetype", "application/vnd.oasis.opendocument.text"),
        "pe": "MZ\u{90}\0", "elf": "\u{7F}ELF", "woff": "wOFF\0", "ttf": "\0\u{1}\0\0",
    ]

    private static let word =
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

    /// What browsers and other clients send for files that are what they are called.
    private static let honest: [(declared: String, files: String)] = [
        ("application/octet-stream", "text bytes html svg php pe elf zip pdf shell png"),
        ("binary/octet-stream", "pe"), ("nonsense", "png"), ("", "png"),
        ("text/plain", "text html xml json shell"), ("text/plain; charset=utf-8", "text"),
        ("TEXT/PLAIN", "text"), ("text/csv", "text"), ("text/markdown", "text html"),
        ("text/html", "html text xml xhtml svg json"), ("text/xml", "xml text svg xhtml"),
        ("application/xml", "xml text svg"), ("application/xhtml+xml", "xhtml xml html"),
        ("image/svg+xml", "svg xml html gzip"), ("application/json", "json text"),
        ("application/ld+json", "json text"), ("application/geo+json", "json text"),
        ("application/atom+xml", "xml text"), ("text/javascript", "text shell"),
        ("application/javascript", "text shell"), ("application/x-javascript", "text"),
        ("application/x-python-code", "text bytes"), ("text/x-python", "text shell"),
        ("application/x-sh", "shell text"), ("application/x-perl", "shell text"),
        ("application/x-yaml", "text"), ("application/sql", "text"),
        ("application/x-httpd-php", "php html text"), ("text/x-php", "php"),
        ("application/x-bat", "bat text"), ("text/asp", "asp html text"),
        ("video/mp2t", "text bytes xml"), ("video/vnd.dlna.mpeg-tts", "text"),
        ("application/vnd.apple.mpegurl", "text"), ("audio/x-mpegurl", "text"),
        ("application/vnd.ms-excel", "text ole ooxml zip html xml bytes"),
        ("application/msword", "ole rtf html docx zip text"),
        ("application/vnd.ms-outlook", "ole"), ("application/rtf", "rtf"), ("text/rtf", "rtf"),
        (word, "docx ooxml zip ole"), ("application/vnd.oasis.opendocument.text", "odt zip"),
        ("application/epub+zip", "zip"), ("application/java-archive", "jar zip"),
        ("application/vnd.android.package-archive", "jar zip"),
        ("application/zip", "zip docx odt jar"), ("application/x-zip-compressed", "zip docx jar"),
        ("application/x-gzip", "gzip"), ("application/x-tar", "gzip bytes"),
        ("application/x-compressed", "gzip zip 7z"), ("application/x-7z-compressed", "7z"),
        ("application/pdf", "pdf"), ("application/x-pdf", "pdf"),
        ("application/postscript", "ps pdf text"), ("application/illustrator", "pdf ps"),
        ("image/jpeg", "jpeg png heif"), ("image/jpg", "jpeg"), ("image/pjpeg", "jpeg"),
        ("image/png", "png jpeg"), ("image/x-png", "png"), ("image/heic", "heif"),
        ("image/x-canon-cr2", "bytes"), ("image/vnd.dxf", "text"), ("image/openraster", "zip"),
        ("audio/mp3", "mp3 bytes"), ("audio/mpeg", "mp3 bytes wav"), ("audio/x-wav", "wav"),
        ("audio/x-m4a", "m4a mp4"), ("audio/mp4", "mp4"), ("video/mp4", "mp4 m4a"),
        ("video/quicktime", "mp4"), ("video/x-matroska", "mkv webm"), ("video/webm", "webm mkv"),
        ("audio/webm", "webm"), ("audio/ogg", "ogg"), ("video/ogg", "ogg"), ("audio/opus", "ogg"),
        ("video/x-ms-wmv", "asf"), ("audio/x-ms-wma", "asf"), ("model/3mf", "ooxml zip"),
        ("model/gltf-binary", "bytes"), ("application/x-custom", "bytes text png zip gzip pdf"),
        ("application/x-msdownload", "pe bat ole"), ("application/x-executable", "elf"),
        ("application/x-sharedlib", "elf"), ("application/vnd.appimage", "elf"),
        ("font/ttf", "ttf woff"), ("application/font-woff", "woff"),
    ]

    /// What somebody has called something else.
    private static let dishonest: [(declared: String, files: String)] = [
        ("image/png", "html svg php pe elf zip pdf text bytes shell json mp4 xml"),
        ("image/jpeg", "html svg text gzip"), ("image/x-canon-cr2", "html pe zip"),
        ("image/svg+xml", "png text pe json"), ("audio/mpeg", "text html pe zip"),
        ("video/mp4", "text bytes html png"), ("audio/ogg", "text bytes"),
        ("video/mp2t", "html pe"), ("text/plain", "pe elf php png pdf zip bytes gzip ole"),
        ("text/csv", "bytes pe"), ("text/html", "php bytes pdf"), ("text/x-unknown", "bytes"),
        ("application/json", "html xml bytes pe png"), ("application/xml", "json bytes"),
        ("application/ld+json", "html"), ("application/pdf", "html text bytes ole zip pe ps png"),
        ("application/zip", "html text gzip pe"), (word, "odt jar pdf html text png"),
        ("application/x-zip-compressed", "pe"),
        ("application/x-custom", "pe elf php shell bat asp"),
        ("application/msword", "pe php elf"), ("font/ttf", "html png zip"),
        ("application/rtf", "text"), ("application/x-sh", "php pe"),
        ("application/vnd.oasis.opendocument.text", "docx pdf"),
    ]

    private static func check(_ rows: [(declared: String, files: String)], fits: Bool) throws {
        for row in rows {
            for name in row.files.split(separator: " ").map(String.init) {
                let content = SniffProbe.bytes(try #require(files[name]))
                let codes = SniffProbe.codes(content, type: row.declared)
                let isFound = codes.contains("type.mismatch")
                #expect(isFound != fits, "\(row.declared) and \(name)")
            }
        }
    }

    @Test func whatClientsSendIsNoMismatch() throws {
        try Self.check(Self.honest, fits: true)
    }

    @Test func whatIsCalledSomethingElseIsOne() throws {
        try Self.check(Self.dishonest, fits: false)
    }

    @Test func aPartThatDeclaresNothingContradictsNothing() {
        let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n\r\n"
        let body = Array((head + "<html>\r\n--b--").utf8)
        #expect(SniffProbe.inspect([body[...]]).findings.isEmpty)
    }
}
