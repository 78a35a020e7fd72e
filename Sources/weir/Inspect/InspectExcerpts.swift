internal import Inspection

/// Finds the bytes a finding is about: in the file once more, or in what was kept of a pipe.
package struct InspectExcerpts: Sendable {
    private let bodyTail: ByteTail?
    private let fileTail: ByteTail?

    package init(bodyTail: ByteTail?, fileTail: ByteTail?) {
        self.bodyTail = bodyTail
        self.fileTail = fileTail
    }

    /// The bytes around a finding, at their offsets in the body or in the file, and the caret's.
    package func window(
        around entry: InspectResult.Entry,
        of result: InspectResult,
        in file: borrowing InputFile
    ) -> (window: ByteWindow, caret: Int)? {
        let caret: Int
        let base: Int?
        let tail: ByteTail?
        switch entry.place {
        case .body: (caret, base, tail) = (entry.finding.offset, result.bodyOffset, bodyTail)
        case .file(let offset): (caret, base, tail) = (offset, 0, fileTail)
        }
        if let tail { return tail.window(around: caret).map { ($0, caret) } }
        let range = ByteWindow.range(around: caret)
        guard let base, let bytes = file.bytes(at: base + range.lowerBound, count: range.count)
        else { return nil }
        return (ByteWindow(start: range.lowerBound, bytes: bytes), caret)
    }
}
