internal import Multipart

/// Which families of parsers read a fact differently, in one clause.
///
/// This is why a fact matters: what Weir reads one way, an upstream may read another way. The
/// clauses are from one run of 23 parsers over the same bodies: the current Python, JavaScript,
/// Perl and Ruby ones, PHP 8.2, and Go 1.19, Jetty 9.4, Netty 4.1 and commons-fileupload 1.4 as
/// Debian has them. Each names a few that are widely used, not all.
package enum ParserFamilies {
    /// How parsers differ on the fact with this code, or nil where none was seen to.
    package static func clause(for code: String) -> String? {
        MultipartReason(rawValue: code).flatMap(clause)
    }

    /// The explanation of a code, and behind it how parsers differ.
    static func detail(_ explanation: String, of code: String) -> String {
        clause(for: code).map { "\(explanation) Parsers differ: \($0)." } ?? explanation
    }

    private static func clause(for reason: MultipartReason) -> String? {
        switch reason {
        case .boundaryEmpty: "PHP, aiohttp and Jetty accept an empty one"
        case .boundaryTooLong:
            "aiohttp and newer Rack refuse more than 70 bytes, most others do not"
        case .boundaryInvalidCharacter:
            "Django, Tornado and Jetty read on, PHP stops there, Go and Werkzeug refuse"
        case .boundaryTrailingSpace:
            "Go, PHP and Werkzeug keep the space, Django and Jetty do not find such a boundary"
        case .boundaryInvalidQuoting: "PHP, Django and Rack read it, Go, Werkzeug and Busboy refuse"
        case .boundaryDuplicateParameter:
            "PHP, Busboy and Netty take the first, Werkzeug and commons-fileupload the last"
        case .boundaryContinuationParameter:
            "Go and Werkzeug join the pieces, most others see no boundary"
        case .boundaryAmbiguousParameter:
            "PHP, Rack and Jetty find the decoy, most others the boundary"
        case .boundaryParameterWhitespace:
            "Go, PHP and Django accept it, Werkzeug, Busboy and Rack refuse"
        case .contentTypeMissingSemicolon:
            "PHP, Rack and Jetty accept it, Go, Django and Busboy refuse"
        case .delimiterMissingFirst: "PHP, Django and Netty see an empty form, most others refuse"
        case .delimiterTrailingBytes:
            "PHP and Django read on past such a line, aiohttp and undici refuse it"
        case .delimiterPadding:
            "Go, Werkzeug and Django see a delimiter, PHP, Busboy and Rack content"
        case .delimiterBareLF: "PHP, Go and Django see a delimiter, Busboy, Rack and Jetty content"
        case .delimiterBareCR: "Werkzeug and Django see a delimiter, PHP, Go and Busboy content"
        case .finalDelimiterMissing:
            "PHP and Django take what came for a whole form, Go, Werkzeug and Busboy refuse"
        case .preamblePresent: "PHP, Go and Django skip it, python-multipart and Tornado refuse"
        case .epiloguePresent:
            "PHP, Django and Tornado find a part hidden there, Go and Werkzeug do not"
        case .lineBareLF: "PHP, Go and Django take it for a line end, Busboy and undici do not"
        case .lineBareCR: "PHP, Go and Werkzeug read on, aiohttp, Tornado and Busboy refuse"
        case .partHeaderNoColon:
            "PHP, Rack and Werkzeug skip the line, Go, Busboy and aiohttp refuse"
        case .partHeaderSpaceBeforeColon:
            "Go, Rack and Werkzeug accept the field, PHP and Django lose it"
        case .partHeaderControl: "Jetty, Busboy and aiohttp refuse it, most others keep it"
        case .partHeaderNUL: "PHP, Go and Django read on, Busboy, aiohttp and Jetty refuse"
        case .partHeaderFolded:
            "PHP, Go and Rack join the lines, Django loses the field, aiohttp and Netty refuse"
        case .partHeaderDuplicate:
            "PHP, Go and Werkzeug take the first, Django, Jetty and Netty the last"
        case .partHeaderLineTooLong:
            "PHP, Go and Rack accept 9 KB, Django, aiohttp and Jetty refuse"
        case .dispositionMissing:
            "Go and Rack keep the part, PHP and Django drop it, Werkzeug and Jetty refuse"
        case .dispositionNotFormData:
            "PHP, Go and Django accept it, Busboy drops the part, Tornado and Jetty refuse"
        case .dispositionNameMissing:
            "Rack takes the filename for the name, PHP a number, Django drops the part"
        case .dispositionDuplicateParameter:
            "PHP, Django and Rack take the last, Busboy and Multiparty the first"
        case .dispositionInvalidQuoting:
            "PHP and Django end a name at an escaped quote, aiohttp and Multiparty do not"
        case .dispositionMissingSemicolon:
            "PHP, Go and Django read on, Busboy drops the part, undici refuses"
        case .dispositionEmptyParameter:
            "most read on, Busboy drops the part, Go gives it no name"
        case .dispositionEncodedWord: "commons-fileupload decodes it, most others do not"
        case .dispositionExtendedFilename:
            "Go, Django and Busboy see a file, PHP, Rack and Formidable a field"
        case .dispositionExtendedFilenameMismatch:
            "Go, Django and Busboy take filename*, PHP, Rack and Jetty filename"
        case .dispositionExtendedParameter:
            "Go, Django and Werkzeug join the pieces of a filename, PHP and Rack see a field"
        case .filenamePath:
            "PHP, Go and Busboy keep a backslash, Django and Rack cut there, Werkzeug drops it"
        case .filenameControl:
            "PHP cuts at a NUL, Django drops it, Go and Rack keep it, Busboy and Jetty refuse"
        case .filenameInvalidUTF8: "PHP, Go and Busboy keep the bytes, Werkzeug and Jetty refuse"
        case .partBodyless: "Go, Werkzeug and Netty see two parts, PHP, Django and Busboy one"
        case .partTransferEncoding:
            "Django and undici decode base64, most others keep it, so hashes differ"
        case .partCharsetField: "aiohttp takes the charset from it, most others do not"
        case .partNestedMultipart:
            "Netty opens the inner parts, commons-fileupload refuses, most others see one"
        default: nil
        }
    }
}
