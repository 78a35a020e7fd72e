import Wire

/// Version 1 of the header: a line of text.
///
///     line   = "PROXY " ( family SP address SP address SP port SP port / "UNKNOWN" *OCTET ) CRLF
///     family = "TCP4" / "TCP6"
///
/// Strict: addresses in the notation of their family, ports without leading zeros.
enum ProxyHeaderLine {
    static let signature = Array("PROXY ".utf8)

    /// With its CRLF; the longest that version 1 allows.
    static let maximumBytes = 107

    /// Reads a line that ends with CRLF.
    static func header(in line: Span<UInt8>) throws(ProxyHeaderFault) -> ProxyHeader {
        let end = line.count - 2
        var words: [Range<Int>] = []
        var start = signature.count
        for index in start...end where index == end || line[index] == ASCII.SP {
            words.append(start..<index)
            start = index + 1
        }
        let family = line.extracting(words[0])
        if family.equals("UNKNOWN") { return .unknown }
        let isV6 = family.equals("TCP6")
        guard isV6 || family.equals("TCP4") else { throw fault(at: words[0].lowerBound) }
        guard words.count == 5 else { throw fault(at: words.count < 5 ? end : words[5].lowerBound) }
        for word in words[1...2] {
            let address = line.extracting(word)
            let offence =
                isV6
                ? IPv6Syntax.firstOffence(in: address)
                : IPv6Syntax.firstOffenceInIPv4(address, from: 0)
            if let offence { throw fault(at: word.lowerBound + offence) }
        }
        guard let port = port(in: line.extracting(words[3])) else {
            throw fault(at: words[3].lowerBound)
        }
        guard self.port(in: line.extracting(words[4])) != nil else {
            throw fault(at: words[4].lowerBound)
        }
        return .source(ip: line.extracting(words[1]).repairedText, port: port)
    }

    private static func fault(at offset: Int) -> ProxyHeaderFault {
        ProxyHeaderFault(.lineInvalid, at: offset)
    }

    private static func port(in digits: Span<UInt8>) -> UInt16? {
        guard (1...5).contains(digits.count) else { return nil }
        guard digits.count == 1 || digits[0] != UInt8(ascii: "0") else { return nil }
        var port = 0
        for index in digits.indices {
            guard ByteClass.digit.contains(digits[index]) else { return nil }
            // Five digits at most.
            port = port * 10 + Int(digits[index] - UInt8(ascii: "0"))
        }
        return UInt16(exactly: port)
    }
}

extension Span<UInt8> {
    /// True if these bytes are `text`, case and all.
    fileprivate func equals(_ text: String) -> Bool {
        repairedText == text
    }
}
