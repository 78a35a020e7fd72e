internal import Wire

/// Finds the root of an XML document: the first tag behind declaration, comments and DOCTYPE.
///
/// ```
/// prolog = [XMLDecl] *Misc [doctypedecl *Misc]     ; XML 1.0 §2.8
/// ```
enum XMLProlog {
    /// The local name of the root element, in lower case; where the text ends before it, the name
    /// that the DOCTYPE gives; nil where neither is in sight.
    static func root(of text: Span<UInt8>) -> String? {
        var index = 0
        var declared: String?
        while true {
            while index < text.count, TextBeginning.isSpace(text[index]) { index += 1 }
            guard index < text.count, text[index] == UInt8(ascii: "<") else { return declared }
            let end: Int?
            if text.holds(comment, at: index) {
                end = text.end(of: commentEnd, from: index + comment.count)
            } else if text.holds(instruction, at: index) {
                end = text.end(of: instructionEnd, from: index + instruction.count)
            } else if text.holds(doctype, at: index, ignoringCase: true) {
                declared = localName(in: text, from: index + doctype.count)
                // A page, in which a picture may come first.
                if declared == "html" { return declared }
                end = endOfDoctype(text, from: index + doctype.count)
            } else {
                return localName(in: text, from: index + 1) ?? declared
            }
            guard let end else { return declared }
            index = end
        }
    }

    private static let comment = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)
    private static let instruction = Array("<?".utf8)
    private static let instructionEnd = Array("?>".utf8)
    private static let doctype = Array("<!doctype".utf8)

    /// The name that stands here, without its prefix; nil if none does, or the text ends in it.
    private static func localName(in text: Span<UInt8>, from start: Int) -> String? {
        var index = start
        while index < text.count, TextBeginning.isSpace(text[index]) { index += 1 }
        var name: [UInt8] = []
        while index < text.count {
            let byte = text[index]
            if HTMLTag.isEnd(byte) || byte == UInt8(ascii: "[") {
                return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            }
            if byte == ASCII.colon { name = [] } else { name.append(ASCII.lowercased(byte)) }
            index += 1
        }
        return nil
    }

    /// Where the ">" has passed that is neither quoted nor within the internal subset.
    private static func endOfDoctype(_ text: Span<UInt8>, from start: Int) -> Int? {
        var quote: UInt8?
        var isInSubset = false
        for index in start..<text.count {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
                continue
            }
            switch byte {
            case ASCII.quote, UInt8(ascii: "'"): quote = byte
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">") where !isInSubset: return index + 1
            default: continue
            }
        }
        return nil
    }
}

extension Span<UInt8> {
    /// Where the first `pattern` at or after `start` has passed.
    fileprivate func end(of pattern: [UInt8], from start: Int) -> Int? {
        guard start <= count else { return nil }
        for index in start..<count where holds(pattern, at: index) {
            return index + pattern.count
        }
        return nil
    }
}
