import HTTP1
import TestSupport
import Testing
import Wire

/// Every form of the PROXY header, however it is cut, and what is none.
@Suite struct ProxyHeaderTests {
    /// What becomes of an input: the header and the bytes behind it, a fault, or neither yet.
    struct Outcome: Equatable {
        var header: ProxyHeader?
        var rest = 0
        var fault: ProxyHeaderFault?

        init(header: ProxyHeader? = nil, rest: Int = 0, fault: ProxyHeaderFault? = nil) {
            self.header = header
            self.rest = rest
            self.fault = fault
        }

        init(parsing pieces: [ArraySlice<UInt8>]) {
            var parser = ProxyHeaderParser()
            var left = pieces.reduce(0) { $0 + $1.count }
            do throws(ProxyHeaderFault) {
                for piece in pieces where !parser.isComplete {
                    left -= try parser.consume(piece.span)
                }
                header = parser.header
                rest = parser.isComplete ? left : 0
            } catch {
                fault = error
            }
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let input: [UInt8]
        let outcome: Outcome

        init(_ text: String, _ outcome: Outcome) {
            testDescription = text.debugDescription
            input = Array(text.utf8)
            self.outcome = outcome
        }

        init(_ name: String, _ input: [UInt8], _ outcome: Outcome) {
            testDescription = name
            self.input = input
            self.outcome = outcome
        }
    }

    private static func source(_ ip: String, _ port: UInt16, rest: Int = 0) -> Outcome {
        Outcome(header: .source(ip: ip, port: port), rest: rest)
    }

    private static func fault(_ reason: ProxyHeaderReason, at offset: Int) -> Outcome {
        Outcome(fault: ProxyHeaderFault(reason, at: offset))
    }

    private static let v6 = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"

    static let lines = [
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r\nGET", source("192.0.2.1", 56_324, rest: 3)),
        Row(
            "PROXY TCP4 255.255.255.255 255.255.255.255 65535 0\r\n",
            source("255.255.255.255", 65_535)
        ),
        Row("PROXY TCP6 2001:db8::1 ::1 1 2\r\n", source("2001:db8::1", 1)),
        Row("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 2\r\n", source("::ffff:192.0.2.1", 1)),
        Row("PROXY TCP6 \(v6) \(v6) 65535 65535\r\n", source(v6, 65_535)),
        Row("PROXY UNKNOWN\r\nx", Outcome(header: .unknown, rest: 1)),
        Row("PROXY UNKNOWN \(v6) \(v6) 65535 65535\r\n", Outcome(header: .unknown)),
        Row("PROXY UNKNOWN  \0\u{FF} x\r\n", Outcome(header: .unknown)),
        Row("", Outcome()),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 56324 443\r", Outcome()),
        Row("GET / HTTP/1.1\r\n", fault(.missing, at: 0)),
        Row("POST", fault(.missing, at: 1)),
        Row("proxy", fault(.missing, at: 0)),
        Row("PROXY\r\n", fault(.missing, at: 5)),
        Row("PROXY\tTCP4", fault(.missing, at: 5)),
        Row("PROXY \r\n", fault(.lineInvalid, at: 6)),
        Row("PROXY  TCP4 192.0.2.1 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 6)),
        Row("PROXY tcp4 192.0.2.1 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 6)),
        Row("PROXY UNKNOWNX\r\n", fault(.lineInvalid, at: 6)),
        Row("PROXY TCP5 192.0.2.1 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 6)),
        Row("PROXY TCP4\r\n", fault(.lineInvalid, at: 10)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1\r\n", fault(.lineInvalid, at: 31)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1 2 3\r\n", fault(.lineInvalid, at: 34)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1 2 \r\n", fault(.lineInvalid, at: 34)),
        Row("PROXY TCP4 192.0.2.1  10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 33)),
        Row("PROXY TCP4 192.0.2 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 18)),
        Row("PROXY TCP4 192.0.2.01 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 19)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.256 1 2\r\n", fault(.lineInvalid, at: 31)),
        Row("PROXY TCP4 ::1 10.0.0.1 1 2\r\n", fault(.lineInvalid, at: 11)),
        Row("PROXY TCP6 192.0.2.1 ::1 1 2\r\n", fault(.lineInvalid, at: 20)),
        Row("PROXY TCP6 ::1 ::1%lo 1 2\r\n", fault(.lineInvalid, at: 18)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 65536 2\r\n", fault(.lineInvalid, at: 30)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 01 2\r\n", fault(.lineInvalid, at: 30)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 -1 2\r\n", fault(.lineInvalid, at: 30)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1 x\r\n", fault(.lineInvalid, at: 32)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1 2\n", fault(.lineInvalid, at: 33)),
        Row("PROXY TCP4 192.0.2.1 10.0.0.1 1 2\rX", fault(.lineInvalid, at: 34)),
        Row(
            "PROXY UNKNOWN " + String(repeating: "x", count: 91) + "\r\n",
            Outcome(header: .unknown)
        ),
        Row("PROXY UNKNOWN " + String(repeating: "x", count: 92), fault(.lineTooLong, at: 105)),
    ]

    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

    private static func block(
        _ command: UInt8,
        _ family: UInt8,
        _ rest: [UInt8],
        length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? rest.count
        return signature + [command, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
    }

    private static let ends4: [UInt8] = [192, 0, 2, 1, 10, 0, 0, 1, 0xDC, 0x04, 0x01, 0xBB]
    private static let ends6: [UInt8] =
        [0x20, 0x01, 0x0D, 0xB8] + [UInt8](repeating: 0, count: 11) + [1]
        + [UInt8](repeating: 0, count: 15) + [1] + [0, 80, 1, 187]
    private static let endsUnix = Array("/run/a".utf8) + [UInt8](repeating: 0, count: 210)
    private static let ssl: [UInt8] = [0x20, 0, 5, 1, 0, 0, 0, 0]

    static let blocks = [
        Row(
            "IPv4",
            block(0x21, 0x11, ends4) + Array("GET".utf8),
            source("192.0.2.1", 56_324, rest: 3)
        ),
        Row("IPv4, datagrams", block(0x21, 0x12, ends4), source("192.0.2.1", 56_324)),
        Row("IPv6", block(0x21, 0x21, ends6), source("2001:db8:0:0:0:0:0:1", 80)),
        Row("extensions", block(0x21, 0x11, ends4 + ssl + [4, 0, 0]), source("192.0.2.1", 56_324)),
        Row("Unix", block(0x21, 0x31, endsUnix + ssl), Outcome(header: .unknown)),
        Row("unspecified", block(0x21, 0, []), Outcome(header: .unknown)),
        Row("unspecified, extensions", block(0x21, 0, ssl), Outcome(header: .unknown)),
        Row("local", block(0x20, 0, []), Outcome(header: .local)),
        Row("local with anything", block(0x20, 0xFF, [1, 2, 3]), Outcome(header: .local)),
        Row("cut", Array(block(0x21, 0x11, ends4).dropLast()), Outcome()),
        Row("signature alone", signature, Outcome()),
        Row(
            "as long as allowed",
            block(0x21, 0, [4, 15, 237] + [UInt8](repeating: 0, count: 4077)),
            Outcome(header: .unknown)
        ),
        Row("longer", block(0x21, 0, [], length: 4081), fault(.tooLong, at: 14)),
        Row("much longer", block(0x20, 0, [], length: 65_535), fault(.tooLong, at: 14)),
        Row("other signature", Array("\r\n\r\n\0\r\nQUIX".utf8), fault(.missing, at: 10)),
        Row("two empty lines", Array("\r\n\r\nGET".utf8), fault(.missing, at: 4)),
        Row("version 1", block(0x11, 0x11, ends4), fault(.commandUnknown, at: 12)),
        Row("command 2", block(0x22, 0x11, ends4), fault(.commandUnknown, at: 12)),
        Row("family 4", block(0x21, 0x41, ends4), fault(.familyUnknown, at: 13)),
        Row("no transport", block(0x21, 0x10, ends4), fault(.familyUnknown, at: 13)),
        Row("transport 3", block(0x21, 0x13, ends4), fault(.familyUnknown, at: 13)),
        Row("transport alone", block(0x21, 0x01, []), fault(.familyUnknown, at: 13)),
        Row(
            "short for IPv4",
            block(0x21, 0x11, Array(ends4.dropLast())),
            fault(.lengthInvalid, at: 14)
        ),
        Row("short for IPv6", block(0x21, 0x21, ends4), fault(.lengthInvalid, at: 14)),
        Row("short for Unix", block(0x21, 0x32, ends6), fault(.lengthInvalid, at: 14)),
        Row(
            "half an extension",
            block(0x21, 0x11, ends4 + [4, 0]),
            fault(.extensionInvalid, at: 28)
        ),
        Row(
            "long extension",
            block(0x21, 0x11, ends4 + [4, 0, 2, 0]),
            fault(.extensionInvalid, at: 28)
        ),
        Row("second extension", block(0x21, 0, ssl + [1, 1, 0]), fault(.extensionInvalid, at: 24)),
    ]

    @Test(arguments: lines + blocks)
    func everyCutReadsTheSame(_ row: Row) {
        for cut in row.input.count < 600 ? cuts(of: row.input) : [[row.input[...]]] {
            #expect(Outcome(parsing: cut) == row.outcome, "cut: \(cut.map(\.count))")
        }
    }

    @Test func everyReasonIsReachedAndDocumented() {
        let reached = (Self.lines + Self.blocks).compactMap(\.outcome.fault?.reason.rawValue)
        #expect(Set(reached) == Set(ProxyHeaderReason.allCases.map(\.rawValue)))
        for reason in ProxyHeaderReason.allCases {
            #expect(reason.rawValue.hasPrefix("proxy_header."))
            #expect(reason.explanation.hasSuffix("."))
            #expect(reason.reference.hasPrefix("PROXY protocol 2"))
        }
    }

    /// Mutated headers: cuts do not matter, the twin agrees, and a fault lies inside.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func mutatedHeadersReadAsTheTwinReadsThem(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let rows = (Self.lines + Self.blocks).filter { $0.input.count < 600 }
        for _ in 0..<2500 {
            var input = rows[Int.random(in: 0..<rows.count, using: &random)].input
            for _ in 0..<Int.random(in: 0..<4, using: &random) where !input.isEmpty {
                let place = Int.random(in: 0..<input.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: input[place] = UInt8.random(in: 0...255, using: &random)
                case 1: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: input.remove(at: place)
                default: input.insert(input[place], at: place)
                }
            }
            let whole = Outcome(parsing: [input[...]])
            let cut = Int.random(in: 0...input.count, using: &random)
            #expect(Outcome(parsing: [input[..<cut], input[cut...]]) == whole, "\(input)")
            #expect(Outcome(parsing: input.indices.map { input[$0...$0] }) == whole, "\(input)")
            let naive = naivelyReadProxyHeader(input)
            #expect(whole.header == naive?.header && whole.rest == naive?.rest ?? 0, "\(input)")
            if let fault = whole.fault { #expect(input.indices.contains(fault.offset)) }
        }
    }
}

/// The header over a whole buffer: the specification of `ProxyHeaderParser`.
private func naivelyReadProxyHeader(_ input: [UInt8]) -> (header: ProxyHeader, rest: Int)? {
    if input.starts(with: Array("PROXY ".utf8)) {
        guard let end = input.indices.first(where: { input[$0] == 13 || input[$0] == 10 }),
            end <= 105, input[end...].starts(with: [13, 10])
        else { return nil }
        let rest = input.count - end - 2
        let words = input[6..<end].split(separator: 32, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        if words[0] == "UNKNOWN" { return (.unknown, rest) }
        guard words.count == 5, let family = ["TCP4": 4, "TCP6": 16][words[0]],
            naivelyReadAddress(words[1]) == family, naivelyReadAddress(words[2]) == family,
            let port = UInt16(words[3]), String(port) == words[3],
            UInt16(words[4]).map({ String($0) }) == words[4]
        else { return nil }
        return (.source(ip: words[1], port: port), rest)
    }
    guard input.count >= 16, input.starts(with: Array("\r\n\r\n\0\r\nQUIT\n".utf8)) else {
        return nil
    }
    let length = Int(input[14]) * 256 + Int(input[15])
    guard length <= 4080, input.count >= 16 + length else { return nil }
    let rest = input.count - 16 - length
    var left = input[16..<(16 + length)]
    if input[12] == 0x20 { return (.local, rest) }
    let sizes: [UInt8: Int] = [0: 0, 0x11: 12, 0x12: 12, 0x21: 36, 0x22: 36, 0x31: 216, 0x32: 216]
    guard input[12] == 0x21, let size = sizes[input[13]], left.count >= size else { return nil }
    let ends = Array(left.prefix(size))
    left = left.dropFirst(size)
    while !left.isEmpty {
        let head = Array(left.prefix(3))
        guard head.count == 3 else { return nil }
        let value = Int(head[1]) * 256 + Int(head[2])
        guard left.count >= 3 + value else { return nil }
        left = left.dropFirst(3 + value)
    }
    let width = [12: 4, 36: 16][size] ?? 0
    guard width > 0 else { return (.unknown, rest) }
    let port = UInt16(ends[width * 2]) * 256 + UInt16(ends[width * 2 + 1])
    let ip =
        width == 4
        ? ends.prefix(4).map { String($0) }.joined(separator: ".")
        : stride(from: 0, to: 16, by: 2)
            .map { String(Int(ends[$0]) * 256 + Int(ends[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    return (.source(ip: ip, port: port), rest)
}

/// How many bytes the address has that `text` is: 4 or 16, or nil if it is none.
private func naivelyReadAddress(_ text: String) -> Int? {
    if naivelyIsV4(text) { return 4 }
    let halves = text.replacing("::", with: "|")
        .split(separator: "|", omittingEmptySubsequences: false)
    guard halves.count <= 2, !text.contains("|") else { return nil }
    var count = 0
    for (index, half) in halves.enumerated() where !half.isEmpty {
        let groups = half.split(separator: ":", omittingEmptySubsequences: false)
        for (place, group) in groups.enumerated() {
            let isLast = index == halves.count - 1 && place == groups.count - 1
            if isLast, naivelyIsV4(String(group)) {
                count += 2
            } else if (1...4).contains(group.utf8.count),
                group.utf8.allSatisfy({ ASCII.hexValue(of: $0) != nil })
            {
                count += 1
            } else {
                return nil
            }
        }
    }
    return halves.count == 2 && count <= 7 || halves.count == 1 && count == 8 ? 16 : nil
}

private func naivelyIsV4(_ text: String) -> Bool {
    let octets = text.split(separator: ".", omittingEmptySubsequences: false)
    return octets.count == 4 && octets.allSatisfy { UInt8($0).map { String($0) } == String($0) }
}
