internal import Digest
package import Inspection
internal import Wire

/// Files that hold the hashes of known files, one a line.
///
///     line = [ hash [ 1*WSP name ] ] [ "#" comment ]
///     hash = 32HEXDIG / 40HEXDIG / 64HEXDIG     ; MD5, SHA-1, SHA-256
///
/// What `md5sum`, `sha1sum` and `sha256sum` print is such a file.
package struct HashFiles: Equatable, Sendable {
    package var deny: [String] = []
    package var allow: [String] = []

    package init() {}

    /// Reads all files; nil where there are none.
    package func load() throws(UsageProblems) -> HashLists? {
        guard !deny.isEmpty || !allow.isEmpty else { return nil }
        do throws(UsageProblem) {
            return HashLists(deny: try Self.list(of: deny), allow: try Self.list(of: allow))
        } catch {
            throw UsageProblems([error])
        }
    }

    private static func list(of paths: [String]) throws(UsageProblem) -> HashList {
        var list = HashList()
        for path in paths {
            var reader = HashFileReader(name: path)
            var file = try InputFile(path: path)
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

    package init(name: String) {
        self.name = TerminalText.escaped(name)
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
        let word = line.prefix { $0 != ASCII.SP && $0 != ASCII.HTAB && $0 != ASCII.CR }
        let isComment = word.isEmpty || word.first == UInt8(ascii: "#")
        if !isComment {
            guard let hash = Self.bytes(of: word), list.insert(hash) else {
                throw UsageProblem(
                    "\(name), line \(number): expected the hexadecimal MD5, SHA-1 or SHA-256 of a file"
                )
            }
        }
        line.removeAll(keepingCapacity: true)
        number += 1
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
