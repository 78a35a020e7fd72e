package import Digest
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
        if name.equalsIgnoringCase("content-digest") {
            self = .contentDigest
        } else if name.equalsIgnoringCase("repr-digest") {
            self = .reprDigest
        } else if name.equalsIgnoringCase("content-md5") {
            self = .contentMD5
        } else if name.count > prefix,
            name.extracting(0..<prefix).equalsIgnoringCase("x-amz-checksum-"),
            let algorithm = Self.amazonAlgorithm(name.extracting(prefix..<name.count))
        {
            self = .amazonChecksum(algorithm)
        } else {
            return nil
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

    var isEmpty: Bool { all.isEmpty && !isMalformed }

    /// True unless a claim differs from the digest that was made of the content.
    ///
    /// A claim whose algorithm was not computed cannot be judged: it came in a trailer that nobody
    /// had announced, and goes no further.
    func holds(for made: [Digest]) -> Bool {
        all.allSatisfy { claim in
            made.allSatisfy { $0.algorithm != claim.algorithm || $0.bytes == claim.bytes }
        }
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
    ///     member     = key "=" ":" base64 ":"
    private mutating func readDictionary(_ value: Span<UInt8>) {
        var start = 0
        for index in 0...value.count where index == value.count || value[index] == 0x2C {
            readMember(value.extracting(start..<index))
            start = index + 1
        }
    }

    private mutating func readMember(_ padded: Span<UInt8>) {
        let member = padded.extracting(padded.trimmed)
        var equals = 0
        while equals < member.count, member[equals] != ASCII.equals { equals += 1 }
        let opening = equals + 1
        guard equals > 0, member.count >= opening + 2, member[opening] == ASCII.colon,
            member[member.count - 1] == ASCII.colon
        else {
            isMalformed = true
            return
        }
        let key = member.extracting(0..<equals)
        guard let algorithm = Self.algorithm(key) else { return }
        claim(algorithm, base64: member.extracting(opening + 1..<member.count - 1))
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
