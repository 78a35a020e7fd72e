/// A client that sends the bytes it is given, as they are, and reads whole responses.
struct RawClient: Sendable {
    typealias Response = MessageReader.Message

    let socket: TestSocket
    private var reader: MessageReader

    init(
        port: UInt16,
        receiveBuffer: Int32? = nil,
        patience: Int32 = TestSocket.patienceMilliseconds
    ) throws {
        socket = try TestSocket(
            connectingTo: port,
            receiveBuffer: receiveBuffer,
            patience: patience
        )
        reader = MessageReader(socket)
    }

    func send(_ text: String) throws { try socket.send(text.utf8) }

    /// Sends `bytes` in pieces of at most `size`.
    func send(_ bytes: [UInt8], inPiecesOf size: Int = .max) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            try socket.send(piece)
        }
    }

    /// Sends a POST with a Content-Length.
    func post(
        _ body: [UInt8],
        type: String = formType,
        path: String = "/u",
        fields: String = "",
        inPiecesOf size: Int = .max
    ) throws {
        let head =
            "POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Type: \(type)\r\n\(fields)"
            + "Content-Length: \(body.count)\r\n\r\n"
        try send(Array(head.utf8) + body, inPiecesOf: size)
    }

    /// Reads the next response to its end; `isHead` where it answers HEAD.
    mutating func response(isHead: Bool = false) throws -> Response {
        guard var message = try reader.readHead() else { throw Ended(how: reader.ending) }
        let status = message.status ?? 0
        if isHead || status < 200 || status == 204 || status == 304 {
            message.isComplete = true
        } else if message.field("Content-Length") == nil, message.field("Transfer-Encoding") == nil
        {
            try reader.readToEnd(of: &message)
        } else {
            try reader.readBody(of: &message)
        }
        return message
    }

    /// The stream ended where a response was expected.
    struct Ended: Error { let how: TestSocket.Arrival? }

    /// What comes after the last response: the end, a reset, or bytes nobody asked for.
    mutating func next() throws -> TestSocket.Arrival {
        guard reader.pending.isEmpty else { return .bytes(reader.pending) }
        return try socket.receive()
    }
}
