internal import Inspection

extension PartRecord {
    /// Writes one indented line: kind, filename or name, type, size, digest and state.
    package func writeText(to line: inout TextLineWriter) {
        line.indent()
        line.phrase("part")
        line.number(report.index)
        line.phrase(report.kind.rawValue)
        if let filename = report.filename {
            line.quoted(filename, atMost: RecordBounds.filename)
        } else if let name = report.name {
            line.quoted(name, atMost: RecordBounds.name)
        }
        if let mediaType = report.contentType?.utf8.prefix(while: { $0 != UInt8(ascii: ";") }) {
            line.word(String(Substring(mediaType)), atMost: RecordBounds.mediaType)
        }
        line.size(report.size)
        if let digest = report.digests.first {
            line.word("\(digest.algorithm):\(digest.hexadecimal)", atMost: digest.shownBytes)
        }
        line.phrase(report.state.rawValue)
        line.endLine()
    }
}

extension PartDigest {
    /// The algorithm's name and the first eight digits: enough to tell two files apart by eye.
    fileprivate var shownBytes: Int { algorithm.utf8.count + 1 + 8 }
}

extension RequestRecord {
    /// Writes one line: who, what, the answer, the verdict, how much and how long.
    ///
    /// What did not end well is followed by how it ended, and by the finding that decided.
    package func writeText(to line: inout TextLineWriter) {
        line.timeOfDay(timestampNanoseconds)
        line.word(identity.clientAddress, atMost: RecordBounds.address)
        line.word(method, atMost: RecordBounds.method)
        line.word(path ?? target, atMost: RecordBounds.target)
        line.word(status.map { String($0) })
        line.phrase(verdict.rawValue)
        line.count(parts.total, "part")
        line.size(receivedBytes)
        line.duration(nanoseconds: durationNanoseconds)
        if termination != .normal {
            line.phrase(termination.code)
            if blame != .none { line.phrase("by \(blame.rawValue)") }
        }
        if let finding = decisiveFinding {
            if verdict != .blocked, wouldBlock != nil { line.phrase("would block:") }
            line.word(finding.code, atMost: RecordBounds.findingCode)
            line.phrase("at byte")
            line.number(finding.offset)
            line.quoted(finding.detail, atMost: RecordBounds.findingDetail)
        }
        line.endLine()
    }
}
