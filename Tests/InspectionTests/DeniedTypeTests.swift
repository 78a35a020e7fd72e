import Inspection
import TestSupport
import Testing

/// Ways around a list of denied types, and what such a list means.
@Suite struct DeniedTypeTests {
    private static let zip = SniffRows.entry("a.txt", "hello")
    private static let word = SniffRows.entry("word/document.xml")

    /// An entry of the list, the beginning of a file, and whether it is refused.
    static let rows: [(denied: String, beginning: String, isRefused: Bool)] = [
        // What stands before, or is read over, hides nothing.
        ("text/html", "<html>\0", true), ("text/html", "\0<html>", true),
        ("text/html", "\u{1}\u{2} <script>", true), ("text/html", "\u{B}\u{1B}<p>", true),
        ("text/html", "\u{EF}\u{BB}\u{BF}\0<img src=x onerror=y>", true),
        ("text/html", "<img src=x onerror=y>", true), ("text/html", "hello <script>x", true),
        ("text/html", "{\"a\": \"<script>\"}", true), ("text/html", "<html", false),
        ("text/html", "a < b <i>hello</i>", false), ("text/html", "<scripture>", false),
        ("text/html", "GIF89a <html>", true), ("text/html", "%PDF-1.7 <script >", true),
        ("text/html", "<!-- c --><svg>", true), ("text/html", "<svg><script>", true),
        ("text/html", "<?xml?><html>", true), ("text/html", zip + "<html>", false),
        // UTF-16, with and without a mark.
        ("text/html", "\u{FF}\u{FE}<\0p\0>\0", true), ("text/html", "<\0p\0>\0", true),
        ("text/html", "\0<\0p\0>", true), ("text/html", "a\0<\0s\0c\0r\0i\0p\0t\0>\0", true),
        ("image/svg+xml", "\0<\0s\0v\0g\0>", true), ("text/xml", "<\0?\0x\0m\0l\0 \0", true),
        // Scripts of the server.
        ("application/x-httpd-php", "GIF89a<?php x", true),
        ("application/x-httpd-php", "GIF89a<?PHP x", true),
        ("application/x-httpd-php", "\u{FF}\u{D8}\u{FF}<?=`$_GET[0]`?>", true),
        ("application/x-httpd-php", "GIF89a<?=\u{80}\u{81}", false),
        ("application/x-httpd-php", "<html><?php x", true),
        ("application/x-httpd-php", "read this: <?php x", true),
        ("text/x-server-page", "GIF89a<%@ page import=x", true),
        ("script", "\0#!/bin/sh", true), ("script", "GIF89a<?php x", true),
        ("script", "text", false),
        // Two formats at two places.
        ("application/zip", "GIF89a" + zip, true), ("application/zip", "\0\u{1}" + zip, true),
        ("application/pdf", "junk%PDF-1.4", true),
        ("application/vnd.rar", "MZ\0Rar!\u{1A}\u{7}", true),
        ("application/x-tar", "<html>" + String(repeating: "\0", count: 251) + "ustar", true),
        ("application/x-tar", "GIF89a" + String(repeating: "\0", count: 251) + "ustar", true),
        ("image/*", "GIF89a" + String(repeating: "\0", count: 251) + "ustar", true),
        // A type stands for what is built on it.
        ("application/zip", zip, true), ("application/zip", word, true),
        ("application/zip", SniffRows.entry("META-INF/"), true),
        ("application/vnd.openxmlformats-officedocument", word, true),
        ("application/vnd.openxmlformats-officedocument", zip, false),
        ("application/java-archive", SniffRows.entry("classes.dex"), true),
        ("application/java-archive", zip, false),
        (
            "application/vnd.oasis.opendocument",
            SniffRows.entry("mimetype", "application/vnd.oasis.opendocument.text"), true
        ),
        ("text/xml", "<svg>", true), ("text/*", "<svg>", true),
        ("image/svg+xml", "<?xml?><a/>", false),
        ("image/*", "<svg>", true), ("text/html", "<?xml?><html>", true),
        ("text/html", "<svg>", false),
        ("video/matroska", "\u{1A}E\u{DF}\u{A3}\u{9F}B\u{82}\u{84}webmB", true),
        ("video/webm", "\u{1A}E\u{DF}\u{A3}", false),
        // Groups.
        ("executable", "MZ\0", true), ("executable", "MZ", true), ("image/*", "MZ", false),
        ("executable", "\u{7F}ELF", true), ("executable", zip, false),
        ("executable", SniffRows.entry("META-INF/"), true), ("archive", word, true),
        ("archive", "\u{1F}\u{8B}\u{8}", true), ("archive", "%PDF-1", false),
        ("markup", "<svg>", true), ("markup", "<html>", true), ("markup", "hello", false),
        ("text/plain", "<html>", false), ("text/plain", "hello", true),
        ("application/octet-stream", "\0", true), ("application/octet-stream", "MZ\0", false),
        // A page may have a drawing in it, and speak of other things.
        ("image/svg+xml", "<html><svg>", false), ("application/pdf", "%!PS-Adobe-", false),
    ]

    @Test(arguments: rows.indices)
    func aTypeIsDeniedHoweverItIsHidden(_ index: Int) {
        let row = Self.rows[index]
        let content = SniffProbe.bytes(row.beginning)
        var policy = InspectionPolicy()
        policy.deniedTypes = [row.denied]
        for cut in cuts(of: SniffProbe.form(content)) {
            let code = SniffProbe.inspect(cut, policy).refusal?.code
            #expect(code == (row.isRefused ? "type.denied" : nil))
        }
    }

    /// A file within a part is looked at like any other.
    @Test func whatHidesInAFileWithinAPartIsDenied() {
        var policy = InspectionPolicy()
        policy.deniedTypes = ["script"]
        policy.nestedDepth = 1
        let head = "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
        let inner = "Content-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n"
        for (content, code) in [("GIF89a<?PHP x", "type.denied"), ("GIF89a", nil)] {
            let body = SniffProbe.bytes(head + inner + content + "\r\n--c--\r\n--b--")
            for cut in cuts(of: body) {
                #expect(SniffProbe.inspect(cut, policy).refusal?.code == code)
            }
        }
    }

    @Test func theFindingNamesTheType() {
        var policy = InspectionPolicy()
        policy.deniedTypes = ["script"]
        let body = SniffProbe.form(SniffProbe.bytes("GIF89a<?php x"))
        let refusal = SniffProbe.inspect([body[...]], policy).refusal
        #expect(refusal?.detail.hasSuffix(" It is application/x-httpd-php.") == true)
        let found = SniffProbe.inspect([body[...]]).findings
        #expect(
            found.map(\.detail).last?.hasSuffix(" It is image/gif and application/x-httpd-php.")
                == true
        )
    }

    /// What is let in is let in as itself alone, and what is two things as both.
    @Test(arguments: [
        ("GIF89a", ["image/gif"], true), ("GIF89a<?php x", ["image/gif"], false),
        ("GIF89a<?php x", ["image/*", "application/x-httpd-php"], true),
        (word, ["application/zip"], false), (zip, ["application/zip"], true),
        ("hello <script>", ["text/plain"], true), ("<svg>", ["text/xml"], false),
    ])
    func aContractLetsInWhatItNames(beginning: String, accepted: [String], isLetIn: Bool) {
        var rule = FieldRule("f", .file)
        rule.sniffedTypes = accepted
        var contract = UploadContract()
        contract.fields = [rule]
        var policy = InspectionPolicy()
        policy.contract = contract
        let body = SniffProbe.form(SniffProbe.bytes(beginning))
        let code = SniffProbe.inspect([body[...]], policy).refusal?.code
        #expect(code == (isLetIn ? nil : "contract.type_denied"))
    }

    @Test func namesAreKnownByTheirAliases() {
        #expect(FileTypes.canonical("application/x-zip-compressed") == "application/zip")
        #expect(FileTypes.canonical("application/xml") == "text/xml")
        #expect(FileTypes.canonical("image/png") == "image/png")
        for (_, types) in FileTypes.groups {
            for type in types { #expect(FileTypes.all.contains(type)) }
        }
    }
}
