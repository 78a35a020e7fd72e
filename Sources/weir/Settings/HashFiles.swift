internal import Digest
package import Inspection
internal import Wire

/// Files that hold the hashes of known files, one a line.
///
///     line    = *WSP [ [ "\\" ] hash [ 1*WSP name ] / comment ]
///     hash    = 32HEXDIG / 40HEXDIG / 64HEXDIG     ; MD5, SHA-1, SHA-256
///     comment = "#" *OCTET
///
/// What `md5sum`, `sha1sum` and `sha256sum` print is such a file; the backslash is theirs, before
/// a name that has escapes. Any other line is a mistake, never skipped: who reads a list of denied
/// files must not read less than was written.
package struct HashFiles: Equatable, Sendable {
    package var deny: [String] = []
    package var allow: [String] = []

    package init() {}

    /// Reads all files; nil where there are none.
    package func load(
        _ patience: InputFile.Patience = .waits
    ) throws(UsageProblems) -> HashLists? {
        guard !deny.isEmpty || !allow.isEmpty else { return nil }
        do throws(UsageProblem) {
            let lists = HashLists(
                deny: try Self.list(of: deny, patience),
                allow: try Self.list(of: allow, patience)
            )
            // Without an entry it would be as if there were no list, and everything let in.
            guard allow.isEmpty || !lists.allow.isEmpty else {
                throw UsageProblem(
                    "hashes.allow: there is no hash in \(allow.joined(separator: ", "))"
                )
            }
            return lists
        } catch {
            throw UsageProblems([error])
        }
    }

    private static func list(
        of paths: [String],
        _ patience: InputFile.Patience
    ) throws(UsageProblem) -> HashList {
        var list = HashList()
        for path in paths {
            var file = try InputFile(path: path, patience)
            var reader = HashFileReader(name: path, size: file.size ?? 0)
            var buffer = [UInt8](repeating: 0, count: 64 << 10)
            while true {
                let count = try file.read(into: &buffer)
                if count == 0 { break }
                try reader.consume(buffer.prefix(count), into: &list)
            }
            try reader.finish(into: &list)
        }
        list.seal()
        return list
    }
}

/// Reads the lines of one file of hashes, in pieces.
package struct HashFileReader {
    private let name: String
    private var line: [UInt8] = []
    private var number = 1
    private let size: Int
    private var hasReserved = false

    /// The most room that is made in advance, for files that are not what they seem.
    private static let mostReserved = 1 << 22

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - name: What problems call it.
    ///   - size: Its size in bytes, to make room in the list at once; 0 where it is not known.
    package init(name: String, size: Int = 0) {
        self.name = TerminalText.escaped(name)
        self.size = size
    }

    package mutating func consume(
        _ piece: ArraySlice<UInt8>,
        into list: inout HashList
    ) throws(UsageProblem) {
        for byte in piece {
            if byte == ASCII.LF {
                try endLine(into: &list)
            } else if line.count < 1 << 12 {
                line.append(byte)
            }
        }
    }

    /// The file has ended; its last line may have no line end.
    package mutating func finish(into list: inout HashList) throws(UsageProblem) {
        try endLine(into: &list)
    }

    private mutating func endLine(into list: inout HashList) throws(UsageProblem) {
        let text = line.drop(while: Self.isBlank)
        if let first = text.first, first != UInt8(ascii: "#") {
            let word = text.dropFirst(first == ASCII.backslash ? 1 : 0)
                .prefix { !Self.isBlank($0) }
            let hash = Self.bytes(of: word)
            if let hash { reserve(for: hash, in: &list) }
            guard let hash, list.insert(hash) else {
                throw UsageProblem(
                    "\(name), line \(number): expected the hexadecimal MD5, SHA-1 or SHA-256 of a file"
                )
            }
        }
        line.removeAll(keepingCapacity: true)
        number += 1
    }

    /// The first hash of a file tells how many may follow.
    private mutating func reserve(for hash: [UInt8], in list: inout HashList) {
        guard !hasReserved else { return }
        hasReserved = true
        list.reserve(min(size / (2 * hash.count + 1), Self.mostReserved), ofSize: hash.count)
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == ASCII.SP || byte == ASCII.HTAB || byte == ASCII.CR
    }

    private static func bytes(of word: ArraySlice<UInt8>) -> [UInt8]? {
        guard word.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(word.count / 2)
        var high: Int?
        for digit in word {
            guard let value = ASCII.hexValue(of: digit) else { return nil }
            if let first = high {
                bytes.append(UInt8(first << 4 | value))
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }
}
