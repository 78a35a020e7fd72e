import FuzzHarness
import Inspection
import Multipart
import TestSupport

/// The inspector: what it says does not depend on cuts, and what it releases of an undecided or
/// refused body is never more than the gates let through.
///
///     input = options type body
///
/// The options are the bits of a byte, and so are the type and what else is asked; see `Upload`.
enum FuzzInspector: FuzzTarget {
    private static let field = "Content-Disposition: form-data; name=\"a\"\r\n\r\n"
    private static let file =
        "Content-Disposition: form-data; name=\"f\"; filename=\"x.html\"\r\nContent-Type: "

    /// A part that is multipart itself, and the line end before the next delimiter.
    private static let nested =
        "Content-Type: multipart/mixed; boundary=d\r\n\r\n--d\r\nContent-Digest: sha-256=:eA==:\r\n"
        + "Content-Type: image/png\r\n\r\n<html>\r\n--d\r\n\r\nGIF89a\r\n--d--\r\n"

    static let seeds = [
        "@0--b\r\n\(field)value\r\n--b\r\n\(file)text/html\r\n\r\n<html>\r\n--b--\r\n",
        "A0--b\r\n\(field)v\r\n--b\r\n\(field)w\r\n--b--",
        "J0--b\r\n\(file)image/png\r\n\r\n\u{89}PNG\r\n\u{1A}\n\r\n--b\r\n\(field)v\r\n--b--\r\n",
        "P0--b\r\n\(file)multipart/mixed; boundary=c\r\n\r\n--c\r\nA: b\r\n\r\nx\r\n--c--\r\n--b--\r\n",
        "P4--b\r\n\(file)multipart/mixed; boundary=c\r\n\r\n--c\r\n\(nested)--c--\r\n--b--\r\n",
        "10--b\r\n\(file)multipart/x; boundary=c\r\n\r\n--c\r\n\(file)text/plain\r\n\r\n<html>"
            + "\(String(repeating: "v", count: 520))\r\n--c\r\nA: b\r\n\r\nx\r\n--c--\r\n--b--",
        "18--b\r\n\(file)multipart/mixed; boundary=c\r\n\r\n--c\r\n\(nested)--c\r\nA\r\n\r\n--b--\r\n",
        "R0preamble\r\n--b\r\n\(field)\r\n--b\r\n\(file)a/b\r\n\r\n\(String(repeating: "v", count: 99))\r\n--b--",
        "b1--b\r\nContent-Type: a/b\r\n\r\nv\r\n--b\r\n\r\nw\r\n--b--\r\n",
        "a2--b\r\nContent-Length: 3\r\nContent-Digest: sha-256=:eA==:\r\n\r\nabc\r\n--b--",
        "C3any bytes",
        "é--b\r\n\(field)v\r\n--b\r\n\(file)a/b\r\n\r\n\(String(repeating: "v", count: 700))\r\n--b--",
    ]

    static let tokens = [
        "\r", "\n", "\r\n", "\r\n\r\n", "--b", "--b--", "\r\n--b", "\r\n--b\r\n", "\r\n--b--\r\n",
        "--c", "\r\n--c--", "\n--b", "-", " ", "\t", "\0", ":", ";", "\"", "\\", "\u{FF}",
        "\r\n--b\r\n\(field)", "\r\n--b\r\n\(file)text/html\r\n\r\n", "<html>", "%PDF-", "GIF89a",
        "Content-Type: multipart/mixed; boundary=c\r\n", "Content-Length: 3\r\n",
        "\r\n--c\r\n", "\r\n--d\r\n", "--d--", "Content-Type: multipart/x; boundary=d\r\n",
        "Content-Transfer-Encoding: base64\r\n", "name=", "filename=", "filename*=UTF-8''a",
        String(repeating: "v", count: 70), String(repeating: "A: b\r\n", count: 9),
    ]

    static func judge(
        _ input: [UInt8],
        _ random: inout SplitMix64
    ) throws(Disagreement) -> [UInt8] {
        let upload = Upload(input)
        let single = upload.outcome(of: upload.body.indices.map { upload.body[$0...$0] })
        try checkSteps(single, single, of: upload)
        if upload.policy.mode == .enforce { try checkGates(single, of: upload) }
        let pieces = someCuts(of: upload.body, &random).dropFirst()
        for cut in [[upload.body[...]]] + pieces {
            let outcome = upload.outcome(of: cut)
            try require(
                outcome.facts.ignoringCommitment == single.facts.ignoringCommitment,
                "cut \(cut.map(\.count)) finds \(outcome.facts) and not \(single.facts)"
            )
            try checkSteps(outcome, single, of: upload)
        }
        return sketch(single, of: upload)
    }

    /// What is released only grows, is what was received, leaves no more than a read buffer can
    /// hold, and depends on what was received alone.
    private static func checkSteps(
        _ outcome: InspectionOutcome,
        _ single: InspectionOutcome,
        of upload: Upload
    ) throws(Disagreement) {
        var before = 0
        let isRefused = outcome.facts.firstBlock != nil
        let most = UploadInspector.mostWithheld(under: upload.policy)
        for (index, step) in outcome.steps.enumerated() {
            try require(
                (before...step.received).contains(step.released),
                "\(step) releases what it has not, or takes it back"
            )
            before = step.released
            let isLast = index == outcome.steps.count - 1
            if isRefused, isLast {
                try require(step.released <= single.released, "cut it releases more")
            } else {
                try require(
                    step.received - step.released <= most,
                    "\(step) withholds more than \(most)"
                )
                // Byte by byte there is a step for each offset, and one for the end.
                if step.received > 0, step.received < upload.body.count {
                    let same = single.steps[step.received - 1]
                    try require(step == same, "cut it releases \(step) and not \(same)")
                }
            }
        }
        for part in outcome.facts.parts where part.isCommitted {
            try require(
                part.state == .complete && part.endOffset <= outcome.released,
                "a part is called committed"
            )
        }
    }

    private static func checkGates(
        _ outcome: InspectionOutcome,
        of upload: Upload
    ) throws(Disagreement) {
        let facts = outcome.facts
        let hold = upload.policy.limits.holdBytes
        guard let block = facts.firstBlock else {
            try require(outcome.released == upload.body.count, "not all is released in the end")
            if upload.isMultipart { try checkAccepted(facts, of: upload) }
            try checkUnfinished(outcome.steps.dropLast().last?.released ?? 0, of: upload)
            return
        }
        try require(
            (0...upload.body.count).contains(block.offset),
            "the finding lies outside: \(block)"
        )
        try checkUnfinished(outcome.released, of: upload)
        guard upload.isMultipart else { return }
        if facts.partCount == 0 {
            try require(
                outcome.released == 0
                    || upload.body.count > UploadInspector.mostWithheld(under: upload.policy),
                "G1: \(outcome.released) bytes left before the first part's header"
            )
        }
        if upload.body.count <= hold {
            try require(outcome.released == 0, "G1: a small body left")
        }
        for part in facts.parts where part.state != .complete {
            let isSmall = part.endOffset - part.contentOffset <= hold
            try require(
                outcome.released <= (isSmall ? part.headOffset : part.endOffset),
                "G3, G4: \(outcome.released) bytes left, with some of \(part)"
            )
        }
    }

    /// What an upstream has of a message that is not accepted is no message.
    private static func checkUnfinished(
        _ released: Int,
        of upload: Upload
    ) throws(Disagreement) {
        guard upload.isMultipart else { return }
        let seen = NaiveParser(Array(upload.body.prefix(released)), boundary: "b")
        try require(
            seen.events.last != .finished || upload.body.isEmpty,
            "G5: \(released) bytes left, which are a whole body"
        )
    }

    /// The twin finds an accepted body whole, and the same parts in it.
    private static func checkAccepted(
        _ facts: InspectionOutcome.Facts,
        of upload: Upload
    ) throws(Disagreement) {
        let naive = NaiveParser(upload.body, boundary: "b")
        try require(
            naive.events.last == .finished,
            "accepted, but \(naive.events.last, default: "")"
        )
        guard upload.policy.nestedDepth == 0 else { return }
        var contents: [Int] = []
        var ends: [Int] = []
        for event in naive.events {
            if case .part(let part) = event { contents.append(part.contentOffset) }
            if case .end(let offset) = event { ends.append(offset) }
        }
        try require(
            facts.parts.map(\.contentOffset) == contents && facts.parts.map(\.endOffset) == ends
                && facts.parts.allSatisfy { $0.state == .complete },
            "the twin finds other parts"
        )
        for part in facts.parts where part.endOffset - part.contentOffset < 64 {
            let digest = referenceSHA256(upload.body[part.contentOffset..<part.endOffset])
            try require(part.digests.first?.hexadecimal == digest, "another digest of \(part)")
        }
    }

    private static func sketch(_ outcome: InspectionOutcome, of upload: Upload) -> [UInt8] {
        let facts = outcome.facts
        var sketch = [upload.options, UInt8(min(facts.parts.count, 5))]
        sketch.append(facts.firstBlock == nil ? 0 : outcome.released == 0 ? 1 : 2)
        for finding in facts.findings.suffix(6) { sketch += finding.code.utf8.suffix(6) }
        return sketch
    }
}

/// An input taken apart: how it is inspected, and the body.
private struct Upload {
    let options: UInt8
    let body: [UInt8]
    let contentType: String
    let policy: InspectionPolicy
    let isDeclared: Bool

    var isMultipart: Bool { contentType.hasPrefix("multipart") }

    init(_ input: [UInt8]) {
        let options = input.first ?? 0
        let types = ["multipart/form-data", "multipart/mixed", "multipart/related", "image/png"]
        contentType = types[Int(input.dropFirst().first ?? 0) & 3] + "; boundary=b"
        body = Array(input.dropFirst(2))
        isDeclared = options & 32 != 0
        var policy = InspectionPolicy()
        let holds = [64 << 10, 0, 1, 7, 60, 200, body.count - 1, body.count]
        policy.limits.holdBytes = max(0, holds[Int(options & 7)])
        policy.profile = options & 8 == 0 ? .balanced : .strict
        policy.nestedDepth = options & 16 == 0 ? 0 : 2
        if options & 64 == 0 { policy.deniedTypes = ["text/html", "image/*"] }
        if options & 128 != 0 {
            policy.limits.bodyBytes = 900
            policy.limits.parts = 3
            policy.limits.files = 2
            policy.limits.partBytes = 300
            policy.limits.nonFileBytes = 100
            policy.limits.partHeaderBytes = 160
            policy.limits.partHeaderLineBytes = 90
            policy.limits.partHeaderFields = 4
            policy.limits.boundaryBytes = 3
        }
        let type = input.dropFirst().first ?? 0
        if type & 4 != 0 {
            let lowered = [
                "preamble.present", "epilogue.present", "delimiter.padding", "digest.mismatch",
                "type.denied", "part.bodyless", "disposition.missing",
            ]
            for code in lowered { try? policy.findings.set(.warn, of: code) }
        }
        if type & 8 != 0 { policy.mode = .observe }
        self.policy = policy
        self.options = options
    }

    func outcome(of pieces: [ArraySlice<UInt8>]) -> InspectionOutcome {
        InspectionOutcome(
            of: pieces,
            contentTypes: [contentType],
            declaredLength: isDeclared ? body.count : nil,
            policy: policy
        )
    }
}
#if FUZZING
/// What libFuzzer calls with each input.
@c(LLVMFuzzerTestOneInput)
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    // SAFETY: libFuzzer lends `count` bytes for the time of the call; they are copied at once.
    FuzzInspector.run(unsafe Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
#else
@main private enum Main {
    static func main() { FuzzRun<FuzzInspector>.main() }
}
#endif
