internal import Wire

/// Which charsets leave US-ASCII bytes their meaning.
enum Charset {
    /// False for UTF-7, UTF-16, UTF-32, their relatives, and EBCDIC.
    ///
    /// In those, the bytes of a harmless text may be markup or code for an upstream that decodes
    /// them, and no inspection of the bytes can tell. Unknown names are taken for extensions of
    /// US-ASCII, as nearly all charsets are.
    static func keepsASCII(_ name: Span<UInt8>) -> Bool {
        var letters: [UInt8] = []
        for index in name.indices {
            let byte = ASCII.lowercased(name[index])
            if byte != ASCII.dash, byte != UInt8(ascii: "_") { letters.append(byte) }
        }
        let folded = letters.span.repairedText
        if reinterpreting.contains(where: folded.hasPrefix) { return false }
        for prefix in ["ibm", "cp", "cpibm", "ccsid"] where folded.hasPrefix(prefix) {
            let number = folded.dropFirst(prefix.count).drop { $0 == "0" }
            if EBCDICPages.contains(where: number.hasPrefix) { return false }
        }
        return true
    }

    private static let reinterpreting = [
        "utf7", "utf16", "utf32", "unicode11utf7", "unicodefffe", "ucs2", "ucs4", "iso10646ucs",
        "csunicode", "scsu", "bocu", "ebcdic", "csibmebcdic", "xebcdic",
    ]

    /// Numbers of the EBCDIC code pages that IBM and IANA name.
    private static let EBCDICPages = [
        "37", "273", "274", "275", "277", "278", "280", "281", "284", "285", "290", "297", "38",
        "420", "423", "424", "500", "833", "838", "870", "871", "875", "880", "905", "918", "924",
        "1025", "1026", "1047", "1112", "1122", "1123", "1140", "1141", "1142", "1143", "1144",
        "1145", "1146", "1147", "1148", "1149",
    ]
}
