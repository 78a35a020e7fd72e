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

    private mutating func takeLines() -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }

    /// Forgets what begins at `start`, the end of a line.
    package mutating func forget(from start: Int) { bytes.removeLast(bytes.count - start) }

    /// Forgets the lines, and keeps their memory.
    package mutating func clear() { bytes.removeAll(keepingCapacity: true) }
}
