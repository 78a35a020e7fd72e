import HTTP1
import Wire

// A span of a temporary slice does not outlive the expression; a parameter does.

extension RequestHeadParser {
    mutating func consume(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        try consume(bytes.span)
    }
}

extension ResponseHeadParser {
    mutating func consume(_ bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Int {
        try consume(bytes.span)
    }
}

extension BodyDecoder {
    mutating func next(in bytes: ArraySlice<UInt8>) throws(HTTPFault) -> Run {
        try next(in: bytes.span)
    }
}

extension KnownField {
    init(name: String) {
        let bytes = Array(name.utf8)
        self.init(name: bytes.span)
    }
}
