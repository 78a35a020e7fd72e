/// What may be released of a well-formed body after its first `n` bytes: the specification of the
/// gates, read off the whole body.
///
/// It knows the layout of the body from the start, which the inspector never does.
struct NaiveGate {
    struct Part {
        /// The first bytes of the header block, of the content, and of the delimiter behind it.
        let head: Int
        let content: Int
        let end: Int
    }

    let body: [UInt8]
    let parts: [Part]
    let boundary: [UInt8]
    let holdBytes: Int
    let declaredLength: Int?

    /// What may be released after `count` bytes, of which the last is not known to be the last.
    func released(after count: Int) -> Int {
        // A body no larger than the hold waits for its end.
        if count <= holdBytes, declaredLength ?? 0 <= holdBytes { return 0 }
        // Nothing before the first part's header has passed.
        guard let last = parts.last(where: { $0.content <= count }) else { return 0 }
        let delimiter = last.end + 4 + boundary.count
        let isLast = last.end == parts.last?.end
        // The part has ended: all is settled up to the header block behind it, or the end.
        if count >= delimiter + 2 { return isLast ? last.end : delimiter + 2 }
        let settled = count >= delimiter ? last.end : count - held(in: body[last.content..<count])
        return settled - last.content <= holdBytes ? last.head : settled
    }

    /// How many of the last bytes of `content` may begin a delimiter.
    private func held(in content: ArraySlice<UInt8>) -> Int {
        let dashBoundary = Array("--".utf8) + boundary
        if !content.isEmpty, dashBoundary.starts(with: content) { return content.count }
        let starts = [[13, 10], [13], [10]].map { $0 + dashBoundary }
        let counts = starts.flatMap { start in
            (1...start.count).filter { content.suffix($0).elementsEqual(start.prefix($0)) }
        }
        return counts.max() ?? 0
    }
}

extension NaiveGate {
    /// Makes a body of random parts, with much in them that begins like a delimiter.
    static func random(using random: inout some RandomNumberGenerator) -> NaiveGate {
        let boundary = Array("bound".utf8.prefix(Int.random(in: 1...5, using: &random)))
        let delimiter = Array("\r\n--".utf8) + boundary
        var body = Array(delimiter.dropFirst(Bool.random(using: &random) ? 2 : 0))
        var parts: [Part] = []
        for index in 0..<Int.random(in: 1...5, using: &random) {
            let head = body.count + 2
            body += Array("\r\nContent-Disposition: form-data; name=\"\(index)\"\r\n\r\n".utf8)
            let content = body.count
            body += randomContent(avoiding: Array(delimiter.dropFirst(2)), using: &random)
            parts.append(Part(head: head, content: content, end: body.count))
            body += delimiter
        }
        body += Array(
            ["--", "--\r\n", "--\r\n\r\n"].randomElement(using: &random)?.utf8 ?? "".utf8
        )
        let holds = [0, 1, 7, 60, body.count - 1, body.count, 1 << 16]
        return NaiveGate(
            body: body,
            parts: parts,
            boundary: boundary,
            holdBytes: holds.randomElement(using: &random) ?? 0,
            declaredLength: Bool.random(using: &random) ? body.count : nil
        )
    }

    private static func randomContent(
        avoiding dashBoundary: [UInt8],
        using random: inout some RandomNumberGenerator
    ) -> [UInt8] {
        let fragments = ["\r", "\n", "\r\n", "-", "--", "\r\n--", "b", "bo", "bou", "x", "\r\n--b"]
        while true {
            var content: [UInt8] = []
            for _ in 0..<Int.random(in: 0...30, using: &random) {
                content += Array((fragments.randomElement(using: &random) ?? "").utf8)
            }
            let hasDelimiter = content.indices.contains { index in
                let isLineStart = index == 0 || [13, 10].contains(content[index - 1])
                return isLineStart && content[index...].starts(with: dashBoundary)
            }
            if !hasDelimiter { return content }
        }
    }
}
