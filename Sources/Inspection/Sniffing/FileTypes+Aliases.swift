extension FileTypes {
    /// Other names of the types, as browsers and other clients declare them.
    static let aliases: [(type: String, names: [String])] = [
        ("image/jpeg", ["image/jpg", "image/pjpeg", "image/jfif"]),
        ("image/png", ["image/x-png", "image/apng", "image/vnd.mozilla.apng"]),
        ("image/bmp", ["image/x-bmp", "image/x-ms-bmp", "image/x-windows-bmp"]),
        ("image/x-icon", ["image/vnd.microsoft.icon", "image/ico", "image/x-win-bitmap"]),
        ("image/tiff", ["image/tif", "image/x-tiff"]),
        (
            "image/vnd.adobe.photoshop",
            ["image/x-photoshop", "image/psd", "image/x-psd", "application/x-photoshop"]
        ),
        ("image/jp2", ["image/jpeg2000", "image/jpx", "image/jpm"]),
        ("image/heic", ["image/heic-sequence"]),
        ("image/heif", ["image/heif-sequence"]),
        ("audio/mpeg", ["audio/mp3", "audio/x-mp3", "audio/mpeg3", "audio/x-mpeg", "audio/mpg"]),
        ("audio/wav", ["audio/x-wav", "audio/wave", "audio/vnd.wave", "audio/x-pn-wav"]),
        ("audio/flac", ["audio/x-flac", "application/x-flac"]),
        ("audio/aiff", ["audio/x-aiff", "sound/aiff"]),
        ("audio/aac", ["audio/x-aac", "audio/aacp", "audio/vnd.dlna.adts", "audio/x-hx-aac-adts"]),
        ("audio/mp4", ["audio/m4a", "audio/x-m4a", "audio/m4b", "audio/x-m4b"]),
        ("audio/midi", ["audio/mid", "audio/x-midi", "audio/x-mid", "audio/sp-midi"]),
        ("audio/basic", ["audio/au", "audio/x-au"]),
        (
            "application/ogg",
            ["application/x-ogg", "audio/ogg", "video/ogg", "audio/opus", "audio/vorbis"]
        ),
        ("video/3gpp", ["audio/3gpp"]),
        ("video/3gpp2", ["audio/3gpp2"]),
        ("video/webm", ["audio/webm"]),
        ("video/mp4", ["video/x-m4v", "video/m4v", "application/mp4"]),
        ("video/x-msvideo", ["video/avi", "video/msvideo", "video/vnd.avi"]),
        ("video/matroska", ["video/x-matroska", "audio/x-matroska", "audio/matroska"]),
        ("video/mpeg", ["video/mpg", "video/x-mpeg", "video/mp2p"]),
        ("video/mp2t", ["video/vnd.dlna.mpeg-tts", "video/ts"]),
        (
            "video/x-ms-asf",
            ["application/vnd.ms-asf", "video/x-ms-wmv", "video/x-ms-wm", "audio/x-ms-wma"]
        ),
        ("video/x-flv", ["video/flv"]),
        ("application/pdf", ["application/x-pdf", "text/pdf", "application/acrobat"]),
        ("application/rtf", ["text/rtf", "application/x-rtf"]),
        ("application/postscript", ["application/eps", "application/x-eps", "image/x-eps"]),
        ("application/vnd.ms-htmlhelp", ["application/x-chm", "application/chm"]),
        ("application/vnd.sqlite3", ["application/x-sqlite3", "application/x-sqlite"]),
        ("application/x-msaccess", ["application/msaccess", "application/vnd.ms-access"]),
        ("text/xml", ["application/xml"]),
        ("text/html", ["application/html"]),
        ("application/json", ["text/json", "application/x-json"]),
        (
            "application/x-httpd-php",
            ["application/php", "application/x-php", "text/php", "text/x-php"]
        ),
        (
            "text/x-server-page",
            [
                "application/x-asp", "text/asp", "application/x-aspx", "application/x-jsp",
                "application/jsp", "text/x-jsp",
            ]
        ),
        (
            "text/x-shellscript",
            [
                "application/x-sh", "application/x-shellscript", "text/x-sh", "application/x-csh",
                "application/x-shar", "text/x-script.sh",
            ]
        ),
        (
            "application/x-bat",
            ["application/bat", "application/x-msdos-batch", "text/x-msdos-batch"]
        ),
        (
            "application/zip",
            [
                "application/x-zip-compressed", "application/x-zip", "multipart/x-zip",
                "application/zip-compressed",
            ]
        ),
        (
            "application/gzip",
            [
                "application/x-gzip", "application/x-gzip-compressed", "application/x-tgz",
                "application/tar+gzip", "application/x-compressed-tar",
                "application/gzip-compressed",
            ]
        ),
        ("application/x-bzip2", ["application/bzip2", "application/x-bzip"]),
        ("application/x-xz", ["application/xz", "application/x-xz-compressed-tar"]),
        ("application/zstd", ["application/x-zstd", "application/x-zstd-compressed-tar"]),
        ("application/x-7z-compressed", ["application/x-7zip", "application/7z"]),
        (
            "application/vnd.rar",
            ["application/x-rar-compressed", "application/x-rar", "application/rar"]
        ),
        (
            "application/vnd.ms-cab-compressed",
            ["application/x-cab", "application/cab", "application/x-cabinet"]
        ),
        ("application/x-tar", ["application/tar", "application/x-gtar", "application/x-ustar"]),
        ("application/x-rpm", ["application/x-redhat-package-manager"]),
        (
            "application/vnd.debian.binary-package",
            ["application/x-debian-package", "application/x-deb"]
        ),
        (
            "application/vnd.microsoft.portable-executable",
            [
                "application/x-msdownload", "application/x-dosexec", "application/x-msdos-program",
                "application/exe", "application/x-exe", "application/x-winexe",
                "application/x-ms-dos-executable",
            ]
        ),
        ("application/java-archive", ["application/x-java-archive", "application/x-jar"]),
        ("application/java-vm", ["application/java-byte-code", "application/x-java-class"]),
        ("application/vnd.adobe.flash.movie", ["application/x-shockwave-flash"]),
        ("font/ttf", ["application/x-font-ttf", "application/x-font-truetype", "font/sfnt"]),
        ("font/otf", ["application/x-font-otf", "application/x-font-opentype"]),
        ("font/woff", ["application/font-woff", "application/x-font-woff"]),
        ("font/woff2", ["application/font-woff2", "application/x-font-woff2"]),
        ("font/collection", ["application/x-font-ttc"]),
        ("application/vnd.ms-fontobject", ["application/x-font-eot"]),
    ]
}
