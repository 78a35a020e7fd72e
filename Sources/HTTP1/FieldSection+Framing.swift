import Wire

extension FieldSection {
    /// The framing that the fields declare, or nil if they declare none.
    ///
    /// Stricter than RFC 9112 §6.3, which lets a recipient repair some of this: a message with
    /// two answers to the question where it ends is refused, because whoever reads it next may
    /// give the other one. So Transfer-Encoding is exactly one `chunked`, Content-Length is exactly
    /// one number, never are there both, and the method plays no part.
    func declaredFraming(minorVersion: Int) throws(HTTPFault) -> BodyFraming? {
        let transferEncoding = firstLine(.transferEncoding)
        let contentLength = firstLine(.contentLength)
        if let line = transferEncoding {
            if minorVersion == 0 {
                throw HTTPFault(.transferEncodingInHTTP10, at: line.name.lowerBound)
            }
            if let second = secondLine(.transferEncoding) {
                throw HTTPFault(.transferEncodingDuplicate, at: second.name.lowerBound)
            }
            if let contentLength {
                let later = max(line.name.lowerBound, contentLength.name.lowerBound)
                throw HTTPFault(.contentLengthWithTransferEncoding, at: later)
            }
            guard matches(line.value, "chunked") else {
                throw HTTPFault(refusal(ofCodings: line), at: line.value.lowerBound)
            }
            return .chunked
        }
        guard let line = contentLength else { return nil }
        if let second = secondLine(.contentLength) {
            throw HTTPFault(.contentLengthDuplicate, at: second.name.lowerBound)
        }
        return .length(try length(in: line.value))
    }

    /// Reads `1*DIGIT`; eighteen digits always fit an Int, and no body needs a nineteenth.
    private func length(in range: Range<Int>) throws(HTTPFault) -> Int {
        var length = 0
        for index in range {
            guard ByteClass.digit.contains(bytes[index]) else {
                throw HTTPFault(.contentLengthInvalid, at: index)
            }
            guard index - range.lowerBound < 18 else { continue }
            length = length * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        }
        guard !range.isEmpty else { throw HTTPFault(.contentLengthInvalid, at: range.lowerBound) }
        guard range.count <= 18 else {
            throw HTTPFault(.contentLengthTooLarge, at: range.lowerBound + 18)
        }
        return length
    }

    /// Tells a well-formed list of codings, of which one is not known here, from nonsense.
    private func refusal(ofCodings line: FieldLine) -> HTTPReason {
        var hasUnknown = false
        var hasChunked = false
        for element in elements(of: line) {
            let isChunked = matches(element, "chunked")
            // Nothing may follow the coding that frames the message.
            if hasChunked || !bytes.span.extracting(element).isToken {
                return .transferEncodingInvalid
            }
            if isChunked { hasChunked = true } else { hasUnknown = true }
        }
        return hasUnknown ? .transferEncodingUnknown : .transferEncodingInvalid
    }
}
