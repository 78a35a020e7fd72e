import TestSupport
import Testing
import weir

@Suite struct CurlTraceDecoderTests {
    static let request = "POST /up HTTP/1.1\r\nHost: a\r\nContent-Length: 70\r\n\r\n"
    static let body = String(repeating: "0123456789", count: 6) + "abcd\r\nx\n\r\n\r"

    static func hexadecimal(_ bytes: [UInt8], _ kind: String) -> String {
        var text = "=> Send \(kind), \(bytes.count) bytes (0x\(String(bytes.count, radix: 16)))\n"
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let row = bytes[start..<min(start + 16, bytes.count)]
            var line = padded(start, 4) + ": "
            for byte in row { line += padded(Int(byte), 2) + " " }
            line += String(repeating: "   ", count: 16 - row.count)
            for byte in row {
                line += (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : "."
            }
            text += line + "\n"
        }
        return text
    }

    /// As curl does it: 64 bytes a line, a new line at each CRLF, dots for what is not printable.
    static func text(_ bytes: [UInt8], _ kind: String) -> String {
        var text = "=> Send \(kind), \(bytes.count) bytes (0x\(String(bytes.count, radix: 16)))\n"
        var start = 0
        while start < bytes.count {
            var line = padded(start, 4) + ": "
            var index = start
            while index < bytes.count, index < start + 64, !isCRLF(bytes, index) {
                let byte = bytes[index]
                line += (32..<127).contains(byte) ? String(UnicodeScalar(byte)) : "."
                index += 1
            }
            if isCRLF(bytes, index) { index += 2 }
            text += line + "\n"
            start = index
        }
        return text
    }

    private static func isCRLF(_ bytes: [UInt8], _ index: Int) -> Bool {
        index + 1 < bytes.count && bytes[index] == 13 && bytes[index + 1] == 10
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    static func dump(_ writer: ([UInt8], String) -> String) -> String {
        "== Info:   Trying 127.0.0.1:80...\n" + writer(Array(request.utf8), "header")
            + "<= Recv header, 25 bytes (0x19)\n0000: HTTP/1.1 100 Continue\n"
            + "=> Send SSL data, 5 bytes (0x5)\n0000: xxxxx\n"
            + "12:30:01.123456 " + writer(Array(body.utf8), "data")
            + "== Info: done\n<= Recv data, 2 bytes (0x2)\n0000: ok\n"
    }

    private func decode(_ pieces: [ArraySlice<UInt8>]) -> (text: String, isLossy: Bool) {
        var decoder = CurlTraceDecoder()
        var bytes: [UInt8] = []
        for piece in pieces { bytes += decoder.consume(piece) }
        bytes += decoder.finish()
        return (String(decoding: bytes, as: UTF8.self), decoder.isLossy)
    }

    @Test func aHexadecimalDumpHasEveryByte() {
        for cut in cuts(of: Array(Self.dump(Self.hexadecimal).utf8)) {
            let found = decode(cut.map { Array($0)[...] })
            #expect(found.text == Self.request + Self.body)
            #expect(!found.isLossy)
        }
    }

    @Test func aTextDumpHasEveryLineEnd() {
        for cut in cuts(of: Array(Self.dump(Self.text).utf8)) {
            let found = decode(cut.map { Array($0)[...] })
            #expect(found.text.utf8.count == (Self.request + Self.body).utf8.count)
            #expect(found.text.hasPrefix(Self.request))
            #expect(found.text.hasSuffix("abcd\r\nx.\r\n."))
            #expect(found.isLossy)
        }
    }

    @Test func dumpsAreToldByTheirBeginning() {
        let beginnings = [
            ("== Info: x", true), ("=> Send header, 1 bytes", true),
            ("12:30:01.123456 == Info: x", true), ("POST / HTTP/1.1", false), ("--X", false),
            ("", false), ("\n", false), ("12 == Info: x", false),
        ]
        for (text, expected) in beginnings {
            #expect(CurlTraceDecoder.matches(Array(text.utf8)[...]) == expected, "\(text)")
        }
    }

    /// Whatever a dump says, reading it is no trap.
    @Test(arguments: [1, 2, 3] as [UInt64])
    func mutatedDumpsAreNoTrap(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        for writer in [Self.hexadecimal, Self.text] {
            for _ in 0..<300 {
                var bytes = Array(Self.dump(writer).utf8)
                for _ in 0..<Int.random(in: 1...8, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
                _ = decode([bytes[...]])
            }
        }
    }
}
