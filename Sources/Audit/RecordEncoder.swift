/// Renders records, one after the other, into one buffer of whole lines.
package struct RecordEncoder: Sendable {
    private let format: AuditFormat
    private let version: String

    /// The lines so far.
    package private(set) var bytes: [UInt8] = []

    /// Begins with no lines; `version` is what records call the version of Weir.
    package init(format: AuditFormat, version: String) {
        self.format = format
        self.version = version
    }

    package mutating func append(_ record: PartRecord) {
        // The buffer moves into the line writer and back: nothing is copied.
        switch format {
        case .ecs:
            var line = JSONLineWriter(continuing: takeLines())
            record.writeECS(to: &line)
            bytes = line.finish()
        case .text:
            var line = TextLineWriter(continuing: takeLines())
            record.writeText(to: &line)
            bytes = line.finish()
        }
    }

    package mutating func append(_ record: RequestRecord) {
        switch format {
        case .ecs:
            var line = JSONLineWriter(continuing: takeLines())
            record.writeECS(to: &line, version: version)
            bytes = line.finish()
        case .text:
            var line = TextLineWriter(continuing: takeLines())
            record.writeText(to: &line)
            bytes = line.finish()
        }
    }

    /// Hands the lines over; the encoder is empty then.
    package mutating func takeLines() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Forgets the lines, and uses the memory of those that were taken again.
    package mutating func reuse(_ lines: consuming [UInt8]) {
        // Emptied before it moves: an array that two names hold would be copied instead.
        lines.removeAll(keepingCapacity: true)
        bytes = lines
    }
}
