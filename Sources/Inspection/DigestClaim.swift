package import Digest
internal import Multipart
internal import Wire

/// What a sender says the digest of its content is: a promise to be held against the content.
struct DigestClaim: Sendable {
    let algorithm: DigestAlgorithm
    let bytes: [UInt8]
}

/// The fields that carry digests of a body or a part.
package enum DigestField: Equatable, Sendable {
    /// RFC 9530 §2: of the content as it is sent.
    case contentDigest
    /// RFC 9530 §3: of the whole representation, which is the content unless only a range is sent.
    case reprDigest
    /// RFC 1864: MD5 in base64.
    case contentMD5
    /// Amazon S3's `x-amz-checksum-…`: one algorithm, in base64.
    case amazonChecksum(DigestAlgorithm)

    /// The field with this name, in any case; nil if it carries no digest.
    package init?(name: Span<UInt8>) {
        let prefix = 15  // of "x-amz-checksum-"
        // The lengths tell most names apart.
        switch name.count {
        case 11 where name.equalsIgnoringCase("repr-digest"): self = .reprDigest
        case 11 where name.equalsIgnoringCase("content-md5"): self = .contentMD5
        case 14 where name.equalsIgnoringCase("content-digest"): self = .contentDigest
        case (prefix + 1)... where ASCII.lowercased(name[0]) == UInt8(ascii: "x"):
            guard name.extracting(0..<prefix).equalsIgnoringCase("x-amz-checksum-"),
                let algorithm = Self.amazonAlgorithm(name.extracting(prefix..<name.count))
            else { return nil }
            self = .amazonChecksum(algorithm)
        default: return nil
        }
    }

    private static func amazonAlgorithm(_ name: Span<UInt8>) -> DigestAlgorithm? {
        let known: [DigestAlgorithm] = [.sha256, .sha1, .crc32, .crc32c]
        for algorithm in known where name.equalsIgnoringCase(algorithm.rawValue) {
            return algorithm
        }
        return nil
    }
}

/// All that a message, or a part, claims of its content.
struct DigestClaims: Sendable {
    private(set) var all: [DigestClaim] = []

    /// A field could not be read: a claim that cannot be checked is not one that holds.
    private(set) var isMalformed = false

    /// A claim is made by an algorithm that nobody here knows.
    private(set) var ignoresSome = false

    var isEmpty: Bool { all.isEmpty && !isMalformed && !ignoresSome }

    /// What has to be computed to judge the claims.
    var algorithms: [DigestAlgorithm] { all.map(\.algorithm) }

    init() {}

    /// What a part claims of its content.
    init(of head: PartHead) {
        for field in head.fields {
            let name = head.bytes.span.extracting(field.name)
            guard let digestField = DigestField(name: name) else { continue }
            read(head.bytes.span.extracting(field.value), of: digestField)
        }
    }

    /// True unless a claim differs from the digest that was made of the content.
    ///
    /// A claim whose algorithm was not computed cannot be judged: it came in a trailer that nobody
    /// had announced, and goes no further.
    func holds(for made: Digests) -> Bool {
        all.allSatisfy { claim in
            made.allSatisfy { $0.algorithm != claim.algorithm || $0.bytes == claim.bytes }
        }
    }

    /// True if a claim cannot be judged, because its digest was not made.
    func exceeds(_ made: Digests) -> Bool {
        !all.allSatisfy { claim in made.contains { $0.algorithm == claim.algorithm } }
    }

    /// Reads one field.
    ///
    /// An algorithm nobody here knows is no claim: RFC 9530 §2 lets a recipient ignore it.
    mutating func read(_ value: Span<UInt8>, of field: DigestField) {
        switch field {
        case .contentMD5: claim(.md5, base64: value)
        case .amazonChecksum(let algorithm): claim(algorithm, base64: value)
        case .contentDigest, .reprDigest: readDictionary(value)
        }
    }

    /// RFC 8941 §3.2, as far as RFC 9530 uses it.
    ///
    ///     dictionary = member *( OWS "," OWS member )
    ///     member     = key "=" ":" base64 ":" *( ";" parameter )
    ///
    /// Keys are read in any case. Parameters mean nothing here; one with a quoted comma makes the
    /// field malformed.
    private mutating func readDictionary(_ value: Span<UInt8>) {
        var start = 0
        for index in 0...value.count where index == value.count || value[index] == 0x2C {
            readMember(value.extracting(start..<index))
            start = index + 1
        }
    }

    private mutating func readMember(_ padded: Span<UInt8>) {
        let member = padded.extracting(padded.trimmed)
        var end = 0
        while end < member.count, Self.isKey(member[end]) { end += 1 }
        guard end > 0,
            end == member.count || member[end] == ASCII.equals || member[end] == ASCII.semicolon
        else {
            isMalformed = true
            return
        }
        guard let algorithm = Self.algorithm(member.extracting(0..<end)) else {
            ignoresSome = true
            return
        }
        claim(algorithm, byteSequence: member.extracting(end..<member.count))
    }

    /// Reads `=:base64:`, and what parameters follow.
    private mutating func claim(_ algorithm: DigestAlgorithm, byteSequence: Span<UInt8>) {
        let start = 2
        var end = start
        while end < byteSequence.count, byteSequence[end] != ASCII.colon { end += 1 }
        guard end < byteSequence.count, byteSequence[0] == ASCII.equals,
            byteSequence[1] == ASCII.colon,
            end + 1 == byteSequence.count || byteSequence[end + 1] == ASCII.semicolon
        else {
            isMalformed = true
            return
        }
        claim(algorithm, base64: byteSequence.extracting(start..<end))
    }

    /// RFC 8941 §3.1.2, and letters in upper case.
    private static func isKey(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
            UInt8(ascii: "."), UInt8(ascii: "*"):
            true
        default:
            false
        }
    }

    /// The keys of the registry that RFC 9530 §7.2 begins, as far as they can be computed here.
    private static func algorithm(_ key: Span<UInt8>) -> DigestAlgorithm? {
        let keys: [(String, DigestAlgorithm)] = [
            ("sha-256", .sha256), ("sha-512", .sha512), ("sha", .sha1), ("md5", .md5),
            ("crc32c", .crc32c),
        ]
        for (name, algorithm) in keys where key.equalsIgnoringCase(name) { return algorithm }
        return nil
    }

    private mutating func claim(_ algorithm: DigestAlgorithm, base64 text: Span<UInt8>) {
        guard let bytes = Base64.decode(text.extracting(text.trimmed)),
            bytes.count == algorithm.size
        else {
            isMalformed = true
            return
        }
        all.append(DigestClaim(algorithm: algorithm, bytes: bytes))
    }
}

extension Span<UInt8> {
    /// Where these bytes are without SP and HTAB at both ends.
    fileprivate var trimmed: Range<Int> {
        var range = 0..<count
        while !range.isEmpty, isSpace(self[range.lowerBound]) { range.removeFirst() }
        while !range.isEmpty, isSpace(self[range.upperBound - 1]) { range.removeLast() }
        return range
    }

    private func isSpace(_ byte: UInt8) -> Bool { byte == ASCII.SP || byte == ASCII.HTAB }
}
