import Wire

/// The elements of a comma-separated list of tokens (RFC 9110 §5.6.1), as ranges.
///
/// Empty elements are skipped. Quoted strings are not recognised: the lists read with this are
/// lists of tokens, and an element with a quote in it is no token.
struct ListElements: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private var rest: Range<Int>

    init(of range: Range<Int>, in bytes: [UInt8]) {
        self.bytes = bytes
        rest = range
    }

    mutating func next() -> Range<Int>? {
        while !rest.isEmpty {
            var end = rest.lowerBound
            while end < rest.upperBound, bytes[end] != UInt8(ascii: ",") { end += 1 }
            let element = bytes.span.trimmingWhitespace(rest.lowerBound..<end)
            rest = Swift.min(end + 1, rest.upperBound)..<rest.upperBound
            if !element.isEmpty { return element }
        }
        return nil
    }
}
