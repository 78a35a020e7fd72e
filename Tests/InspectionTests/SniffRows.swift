/// Beginnings of files, one scalar a byte, and the type each tells.
enum SniffRows {
    /// An entry of a ZIP archive: its local header (APPNOTE 4.3.7), and its content as it is.
    static func entry(_ name: String, _ content: String = "", method: UInt8 = 0) -> String {
        func little(_ value: Int) -> String {
            String(Unicode.Scalar(UInt8(value & 0xFF))) + String(Unicode.Scalar(UInt8(value >> 8)))
        }
        let sizes = little(content.utf8.count) + "\0\0"
        return "PK\u{3}\u{4}\u{14}\0\0\0" + little(Int(method)) + "\0\0\0\0\0\0\0\0" + sizes + sizes
            + little(name.utf8.count) + "\0\0" + name + content
    }

    private static func document(_ kind: String) -> String {
        entry("mimetype", "application/vnd.oasis.opendocument." + kind)
    }

    private static func film(_ docType: String) -> String {
        "\u{1A}E\u{DF}\u{A3}\u{9F}B\u{86}\u{81}\u{1}B\u{82}" + docType + "B\u{87}\u{81}\u{4}"
    }

    static let all: [(beginning: String, type: String)] =
        text + pictures + soundsAndFilms + documents + archives + programs + fonts

    private static let text = [
        ("#!/bin/sh\n", "text/x-shellscript"),
        ("#!/bin/sh\n\0\u{1}", "text/x-shellscript"),
        ("<?php echo 1;", "application/x-httpd-php"),
        ("<?PHP echo 1;", "application/x-httpd-php"),
        ("\n<?=`id`?>", "application/x-httpd-php"),
        ("<?php\0", "application/x-httpd-php"),
        ("<%@ page import=\"java.io.*\" %>", "text/x-server-page"),
        ("<% eval request(1) %>", "text/x-server-page"),
        ("#![no_std]", "text/plain"),
        ("@echo off\r\n", "application/x-bat"),
        ("@ECHO OFF", "application/x-bat"),
        (" \n<!DOCTYPE HTML><p>", "text/html"),
        ("<ScRiPt>", "text/html"),
        ("<script\nsrc=x>", "text/html"),
        ("<body/onload=x>", "text/html"),
        ("<html>\0\u{1}\u{2}", "text/html"),
        ("<a href", "text/html"),
        ("<article>", "text/plain"),
        ("<html", "text/plain"),
        ("<!-- \u{1}", "text/html"),
        ("<!DOCTYPE html><svg>", "text/html"),
        ("\u{EF}\u{BB}\u{BF}<html>", "text/html"),
        ("\u{EF}\u{BB}\u{BF} <html>", "text/html"),
        ("\u{EF}\u{BB}\u{BF}plain", "text/plain"),
        ("\u{FF}\u{FE}<\0p\0>\0", "text/html"),
        ("\u{FE}\u{FF}\0<\0p\0 ", "text/html"),
        ("\u{FF}\u{FE}<\0s\0v\0g\0>\0", "image/svg+xml"),
        ("\u{FE}\u{FF}\0h", "text/plain"),
        ("\u{FF}\u{FE}<\u{1}p\0>\0", "text/plain"),
        ("<?xml version=\"1.0\"?><a/>", "text/xml"),
        ("<?xml version=\"1.0\"?>\0", "text/xml"),
        ("<?xml version=\"1.0\"?><a><svg/></a>", "text/xml"),
        ("<?xml version=\"1.0\"?>\n<html xmlns=\"x\">", "application/xhtml+xml"),
        ("<?xml version=\"1.0\"?><!DOCTYPE html [", "application/xhtml+xml"),
        ("{\"a\": 1}", "application/json"),
        ("\u{EF}\u{BB}\u{BF}[]", "application/json"),
        ("[1, 2]", "application/json"),
        ("{ not json", "text/plain"),
        ("hello\n", "text/plain"),
        ("\0<html>", "application/octet-stream"),
        ("\0\u{1}\u{2}\u{3}", "application/octet-stream"),
        ("GIF8", "text/plain"),
        ("BM is a make of cars", "text/plain"),
        ("MZ, ID3, BZh and FWS", "text/plain"),
        ("the ftyp box", "text/plain"),
    ]

    private static let pictures = [
        ("\u{89}PNG\r\n\u{1A}\n\0\0", "image/png"),
        ("\u{FF}\u{D8}\u{FF}\u{E0}", "image/jpeg"),
        ("GIF89a..", "image/gif"),
        ("GIF87a..", "image/gif"),
        ("RIFF....WEBPVP8 ", "image/webp"),
        ("BM....\0\0\0\0", "image/bmp"),
        ("BM....\u{1}", "image/bmp"),
        ("\0\0\u{1}\0", "image/x-icon"),
        ("\0\0\u{2}\0", "image/x-icon"),
        ("II*\0", "image/tiff"),
        ("MM\0*", "image/tiff"),
        ("II+\0", "image/tiff"),
        ("MM\0+", "image/tiff"),
        ("\0\0\0\u{18}ftypavif", "image/avif"),
        ("\0\0\0\u{18}ftypavis", "image/avif"),
        ("\0\0\0\u{18}ftypheic", "image/heic"),
        ("\0\0\0\u{18}ftypheix", "image/heic"),
        ("\0\0\0\u{18}ftypmif1", "image/heif"),
        ("\0\0\0\u{18}ftypmsf1", "image/heif"),
        ("\0\0\0\u{18}ftypcrx ", "image/x-canon-cr3"),
        ("\0\0\0\u{C}JXL \r\n\u{87}\n", "image/jxl"),
        ("\u{FF}\n\u{FA}\0", "image/jxl"),
        ("\0\0\0\u{C}jP  \r\n\u{87}\n", "image/jp2"),
        ("\u{FF}O\u{FF}Q", "image/jp2"),
        ("8BPS\0\u{1}", "image/vnd.adobe.photoshop"),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"),
        ("<?xml version=\"1.0\"?><svg/>", "image/svg+xml"),
        ("<s:svg xmlns:s=\"http://www.w3.org/2000/svg\">", "image/svg+xml"),
        ("<!-- from a drawing program -->\n<svg>", "image/svg+xml"),
        (
            "<?xml version=\"1.0\"?>\n<!-- <a> -->\n<!DOCTYPE svg PUBLIC \"a>b\" [\n<!ENTITY a \"<b>\">\n]>\n<svg>",
            "image/svg+xml"
        ),
        ("<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" [", "image/svg+xml"),
    ]

    private static let soundsAndFilms = [
        ("RIFF....WAVEfmt ", "audio/wav"),
        ("RF64....WAVEds64", "audio/wav"),
        ("RIFF....RMIDdata", "audio/midi"),
        ("ADIF\0", "audio/aac"),
        ("FORM....AIFF", "audio/aiff"),
        ("FORM....AIFC", "audio/aiff"),
        (".snd\0\0\0\u{18}", "audio/basic"),
        ("ID3\u{4}\0", "audio/mpeg"),
        ("\u{FF}\u{FB}\u{90}", "audio/mpeg"),
        ("\u{FF}\u{FA}\u{90}\0", "audio/mpeg"),
        ("\u{FF}\u{F3}\u{40}\0", "audio/mpeg"),
        ("\u{FF}\u{F2}\u{40}\0", "audio/mpeg"),
        ("\u{FF}\u{FD}\u{90}\0", "audio/mpeg"),
        ("\u{FF}\u{E3}\u{40}\0", "audio/mpeg"),
        ("\u{FF}\u{FB}\u{F0}\0", "application/octet-stream"),
        ("\u{FF}\u{FB}\u{9C}\0", "application/octet-stream"),
        ("\u{FF}\u{F1}\u{50}\0", "audio/aac"),
        ("\u{FF}\u{F9}\u{50}\0", "audio/aac"),
        ("\u{FF}\u{F1}\u{7C}\0", "application/octet-stream"),
        ("OggS\0\u{2}", "application/ogg"),
        ("fLaC\0\0", "audio/flac"),
        ("MThd\0\0\0\u{6}", "audio/midi"),
        ("#!AMR\n\u{4}", "audio/amr"),
        ("\0\0\0\u{18}ftypM4A ", "audio/mp4"),
        ("\0\0\0\u{18}ftypmp42", "video/mp4"),
        ("\0\0\0\u{18}ftypzzzz", "video/mp4"),
        ("\0\0\0\u{18}ftypqt  ", "video/quicktime"),
        ("\0\0\0\u{18}ftyp3gp4", "video/3gpp"),
        ("\0\0\0\u{18}ftyp3g2a", "video/3gpp2"),
        ("\0\0\0\u{18}stypmsdh", "video/mp4"),
        ("\0\0\0\u{8}wide\0\0\0\0mdat", "video/quicktime"),
        ("\0\0\0\u{8}moov", "video/quicktime"),
        ("\0\0\0\u{8}mdat", "video/quicktime"),
        ("\0\0\0\u{8}free", "video/quicktime"),
        ("\0\0\0\u{8}skip", "video/quicktime"),
        ("Be\tfree and skip it", "text/plain"),
        ("RIFF....AVI LIST", "video/x-msvideo"),
        ("\u{1A}E\u{DF}\u{A3}", "video/matroska"),
        (film("\u{88}matroska"), "video/matroska"),
        (film("\u{84}webm"), "video/webm"),
        (film("\u{40}\u{4}webm"), "video/webm"),
        (film("\u{86}\0\0webm"), "video/webm"),
        ("\0\0\u{1}\u{BA}", "video/mpeg"),
        ("\0\0\u{1}\u{B3}", "video/mpeg"),
        ("G" + String(repeating: "\0", count: 187) + "G", "video/mp2t"),
        ("G" + String(repeating: "\0", count: 186) + "G", "application/octet-stream"),
        ("G" + String(repeating: "a", count: 187) + "G", "text/plain"),
        ("FLV\u{1}\u{5}", "video/x-flv"),
        ("0&\u{B2}u\u{8E}f\u{CF}\u{11}\u{A6}\u{D9}", "video/x-ms-asf"),
    ]

    private static let documents = [
        ("%PDF-1.7\n", "application/pdf"),
        ("%!PS-Adobe-3.0", "application/postscript"),
        ("\u{C5}\u{D0}\u{D3}\u{C6}\u{1E}\0", "application/postscript"),
        ("{\\rtf1", "application/rtf"),
        ("\u{D0}\u{CF}\u{11}\u{E0}\u{A1}\u{B1}\u{1A}\u{E1}", "application/x-ole-storage"),
        ("ITSF\u{3}\0", "application/vnd.ms-htmlhelp"),
        ("SQLite format 3\0", "application/vnd.sqlite3"),
        ("\0\u{1}\0\0Standard Jet DB", "application/x-msaccess"),
        (String(repeating: "\0", count: 128) + "DICM", "application/dicom"),
        (entry("mimetype", "application/epub+zip"), "application/epub+zip"),
        (
            entry("[Content_Types].xml", "<a>", method: 8),
            "application/vnd.openxmlformats-officedocument"
        ),
        (
            entry("[Content_Types].xml", "<a>") + entry("_rels/.rels") + entry("word/document.xml"),
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        ),
        (
            entry("_rels/.rels") + entry("xl/workbook.xml"),
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
        ),
        (
            entry("ppt/presentation.xml"),
            "application/vnd.openxmlformats-officedocument.presentationml.presentation"
        ),
        (entry("word/notes.txt"), "application/zip"),
        (document("text"), "application/vnd.oasis.opendocument.text"),
        (document("text-template"), "application/vnd.oasis.opendocument.text-template"),
        (document("text-master"), "application/vnd.oasis.opendocument.text-master"),
        (document("spreadsheet"), "application/vnd.oasis.opendocument.spreadsheet"),
        (
            document("spreadsheet-template"),
            "application/vnd.oasis.opendocument.spreadsheet-template"
        ),
        (document("presentation"), "application/vnd.oasis.opendocument.presentation"),
        (
            document("presentation-template"),
            "application/vnd.oasis.opendocument.presentation-template"
        ),
        (document("graphics"), "application/vnd.oasis.opendocument.graphics"),
        (document("graphics-template"), "application/vnd.oasis.opendocument.graphics-template"),
        (document("formula"), "application/vnd.oasis.opendocument.formula"),
        (document("chart"), "application/vnd.oasis.opendocument.chart"),
        (document("image"), "application/vnd.oasis.opendocument.image"),
        (document("base"), "application/vnd.oasis.opendocument.base"),
        (document("other"), "application/vnd.oasis.opendocument"),
        (entry("mimetype", "application/x-krita"), "application/zip"),
        (entry("mimetype", "application/epub+zip", method: 8), "application/zip"),
    ]

    private static let archives = [
        ("PK\u{3}\u{4}..........", "application/zip"),
        (entry("a.txt", "hello"), "application/zip"),
        ("PK\u{5}\u{6}", "application/zip"),
        ("PK\u{7}\u{8}PK\u{3}\u{4}", "application/zip"),
        ("PK00PK\u{3}\u{4}", "application/zip"),
        ("\u{1F}\u{8B}\u{8}\0", "application/gzip"),
        ("\u{1F}\u{9D}\u{90}", "application/x-compress"),
        ("BZh91AY&SY", "application/x-bzip2"),
        ("BZh9\u{17}rE8P\u{90}", "application/x-bzip2"),
        ("\u{FD}7zXZ\0", "application/x-xz"),
        ("LZIP\u{1}", "application/x-lzip"),
        ("\u{4}\"M\u{18}", "application/x-lz4"),
        ("(\u{B5}/\u{FD}", "application/zstd"),
        ("7z\u{BC}\u{AF}'\u{1C}", "application/x-7z-compressed"),
        ("Rar!\u{1A}\u{7}\u{1}\0", "application/vnd.rar"),
        ("Rar \u{1A}\u{7}\0", "application/vnd.rar"),
        ("MSCF\0\0\0\0", "application/vnd.ms-cab-compressed"),
        ("!<arch>\ndebian-binary", "application/vnd.debian.binary-package"),
        ("!<arch>\nlib.o/", "application/x-archive"),
        ("\u{ED}\u{AB}\u{EE}\u{DB}\u{3}\0", "application/x-rpm"),
        (String(repeating: "a", count: 257) + "ustar\0", "application/x-tar"),
    ]

    private static let programs = [
        ("\u{7F}ELF\u{2}\u{1}", "application/x-elf"),
        ("MZ\u{90}\0", "application/vnd.microsoft.portable-executable"),
        ("\u{CF}\u{FA}\u{ED}\u{FE}", "application/x-mach-binary"),
        ("\u{CE}\u{FA}\u{ED}\u{FE}", "application/x-mach-binary"),
        ("\u{FE}\u{ED}\u{FA}\u{CE}", "application/x-mach-binary"),
        ("\u{FE}\u{ED}\u{FA}\u{CF}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{1}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{2}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{3}", "application/x-mach-binary"),
        ("\u{CA}\u{FE}\u{BA}\u{BE}\0\0\0\u{34}", "application/java-vm"),
        (entry("META-INF/") + entry("META-INF/MANIFEST.MF"), "application/java-archive"),
        (entry("a/B.class", "..") + entry("META-INF/MANIFEST.MF"), "application/java-archive"),
        (entry("AndroidManifest.xml", method: 8), "application/vnd.android.package-archive"),
        (entry("META-INF/container.xml"), "application/zip"),
        ("dex\n035\0", "application/vnd.android.dex"),
        ("\0asm\u{1}\0\0\0", "application/wasm"),
        ("L\0\0\0\u{1}\u{14}\u{2}\0", "application/x-ms-shortcut"),
        ("CWS\u{A}\0", "application/vnd.adobe.flash.movie"),
        ("FWS\u{5}\0", "application/vnd.adobe.flash.movie"),
        ("ZWS\u{D}\0", "application/vnd.adobe.flash.movie"),
    ]

    private static let fonts = [
        ("wOFF\0\u{1}", "font/woff"),
        ("wOF2\0\u{1}", "font/woff2"),
        ("OTTO\0", "font/otf"),
        ("ttcf\0", "font/collection"),
        ("\0\u{1}\0\0\0", "font/ttf"),
        ("true\0", "font/ttf"),
        (
            "........\u{1}\0\u{2}\0" + String(repeating: ".", count: 22) + "LP",
            "application/vnd.ms-fontobject"
        ),
    ]
}
