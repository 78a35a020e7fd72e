import Multipart
import Testing

/// One body of a table: what is odd in it, where, and which parts it has.
struct BodyRow: CustomTestStringConvertible {
    let testDescription: String
    let body: [UInt8]

    /// What is reported or thrown, by ascending offset; the marks in the body say where.
    let findings: [MultipartFact]

    /// The content of each part that began, or nil where the table does not say.
    let contents: [String]?

    /// True if the last finding is a fault.
    let isFault: Bool

    init(
        _ description: String,
        _ marked: String,
        _ reasons: [MultipartReason] = [],
        fault: MultipartReason? = nil,
        contents: [String]? = nil
    ) {
        let marked = Marked(marked)
        let all = reasons + (fault.map { [$0] } ?? [])
        precondition(all.count == marked.offsets.count, "one mark for each finding: \(description)")
        testDescription = description
        body = marked.bytes
        findings = zip(all, marked.offsets).map { MultipartFact($0, at: $1) }
        isFault = fault != nil
        self.contents = contents
    }

    /// Checks what the parser says against the row.
    func expect(_ events: [Event], _ note: Comment) {
        #expect(foundFacts(events) == findings, note)
        let last = events.last
        if case .fault? = last { #expect(isFault, note) } else { #expect(!isFault, note) }
        if let contents { #expect(foundContents(events) == contents, note) }
    }

    private func foundFacts(_ events: [Event]) -> [MultipartFact] {
        let facts: [MultipartFact] = events.compactMap { event in
            switch event {
            case .fact(let reason, let offset), .fault(let reason, let offset):
                MultipartFact(reason, at: offset)
            case .head, .part, .content, .end, .finished: nil
            }
        }
        return facts.sorted { $0.offset < $1.offset }
    }

    private func foundContents(_ events: [Event]) -> [String] {
        var contents: [String] = []
        for event in events {
            switch event {
            case .part: contents.append("")
            case .content(let bytes):
                contents[contents.count - 1] = String(decoding: bytes, as: UTF8.self)
            case .head, .end, .fact, .fault, .finished: break
            }
        }
        return contents
    }
}
