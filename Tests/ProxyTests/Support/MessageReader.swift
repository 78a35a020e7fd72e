/// Reads whole HTTP/1.1 messages off a socket, naively: what comes is split at its framing.
struct MessageReader: Sendable {
    /// One message, with its body decoded.
    struct Message: Equatable, Sendable {
        /// Start line and field lines, each with its CRLF, without the empty line.
        var head = ""
        var body: [UInt8] = []

        /// True if the end of the body was seen.
        var isComplete = false

        var startLine: String { String(head.prefix { $0 != "\r\n" }) }

        /// The value of the first field line with this name.
        func field(_ name: String) -> String? {
            for line in head.split(separator: "\r\n").dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
                return String(parts[1].drop { $0 == " " })
            }
            return nil
        }

        var status: Int? {
            let words = startLine.split(separator: " ")
            return words.count > 1 ? Int(words[1]) : nil
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    let socket: TestSocket

    /// What has come and is not part of a message yet.
    private(set) var pending: [UInt8] = []

    /// All bytes that have come.
    private(set) var received: [UInt8] = []

    /// How the stream ended, if it did.
    private(set) var ending: TestSocket.Arrival?

    init(_ socket: TestSocket) { self.socket = socket }

    /// True once there is more to read; false at the end of the stream.
    mutating func readMore() throws -> Bool {
        guard ending == nil else { return false }
        switch try socket.receive() {
        case .bytes(let bytes):
            pending += bytes
            received += bytes
            return true
        case let other:
            ending = other
            return false
        }
    }

    /// Reads up to the empty line behind a head; nil where the stream ends before the first byte.
    mutating func readHead() throws -> Message? {
        var searched = 0
        while true {
            if let end = index(of: [13, 10, 13, 10], from: searched) {
                let head = String(decoding: pending[..<(end + 2)], as: UTF8.self)
                pending.removeFirst(end + 4)
                return Message(head: head)
            }
            searched = max(0, pending.count - 3)
            if try !readMore() {
                return pending.isEmpty
                    ? nil : Message(head: String(decoding: pending, as: UTF8.self))
            }
        }
    }

    /// Reads the body of a request whose head was read; what came of it stays where it is cut.
    mutating func readBody(of message: inout Message) throws {
        if message.field("Transfer-Encoding")?.lowercased() == "chunked" {
            try readChunks(of: &message)
        } else {
            let length = message.field("Content-Length").flatMap { Int($0) } ?? 0
            message.isComplete = try take(length, into: &message.body)
        }
    }

    /// Reads everything up to the end of the stream.
    mutating func readToEnd(of message: inout Message) throws {
        while try readMore() {}
        message.body += pending
        pending = []
        message.isComplete = ending == .end
    }

    private mutating func readChunks(of message: inout Message) throws {
        while true {
            guard let line = try readLine() else { return }
            let digits = line.prefix { $0 != 0x3B }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return }
            if size == 0 {
                // Trailer lines, and the empty line that ends the message.
                while let line = try readLine() {
                    if line.isEmpty { message.isComplete = true }
                    if line.isEmpty { return }
                }
                return
            }
            guard try take(size, into: &message.body), try readLine() == [] else { return }
        }
    }

    /// Takes `count` bytes, or as many as come; false if those are fewer.
    private mutating func take(_ count: Int, into bytes: inout [UInt8]) throws -> Bool {
        while pending.count < count {
            if try !readMore() { break }
        }
        let taken = min(count, pending.count)
        bytes += pending[..<taken]
        pending.removeFirst(taken)
        return taken == count
    }

    private mutating func readLine() throws -> [UInt8]? {
        while true {
            if let end = index(of: [13, 10], from: 0) {
                let line = Array(pending[..<end])
                pending.removeFirst(end + 2)
                return line
            }
            if try !readMore() { return nil }
        }
    }

    private func index(of pattern: [UInt8], from start: Int) -> Int? {
        guard pending.count >= pattern.count else { return nil }
        var index = start
        while index <= pending.count - pattern.count {
            if pending[index] == pattern[0], pending[index...].starts(with: pattern) {
                return index
            }
            index += 1
        }
        return nil
    }
}
