internal import Inspection

extension PartRecord {
    /// Writes the `upload-part` event as one line.
    package func writeECS(to line: inout JSONLineWriter) {
        line.beginObject()
        line.member("@timestamp", instant: timestampNanoseconds)
        line.constant(JSONLineWriter.schema)
        line.beginObject("event")
        line.constant(
            #""kind":"event","category":["web","file"],"type":["info"],"action":"upload-part""#
        )
        line.constant(
            report.state == .complete ? #""outcome":"success""# : #""outcome":"failure""#
        )
        line.constant(#""dataset":"weir.part""#)
        line.member("id", "\(identity.requestID).\(report.index)", atMost: RecordBounds.identifier)
        line.member("sequence", sequence)
        line.member("duration", report.durationNanoseconds)
        line.endObject()
        line.write(identity)
        writeFile(to: &line)
        writePart(to: &line)
        if !report.digests.isEmpty {
            line.beginObject("related")
            line.beginArray("hash")
            for digest in report.digests {
                line.element(digest.hexadecimal, atMost: RecordBounds.digest)
            }
            line.endArray()
            line.endObject()
        }
        line.endObject()
        line.endLine()
    }

    private func writeFile(to line: inout JSONLineWriter) {
        line.beginObject("file")
        line.member("name", report.filename, atMost: RecordBounds.filename)
        line.member("extension", fileExtension, atMost: RecordBounds.fileExtension)
        line.member("size", report.size)
        line.member("mime_type", sniffedType, atMost: RecordBounds.mediaType)
        if !report.digests.isEmpty {
            line.beginObject("hash")
            for digest in report.digests {
                line.member(digest.algorithm, digest.hexadecimal, atMost: RecordBounds.digest)
            }
            line.endObject()
        }
        line.endObject()
    }

    private func writePart(to line: inout JSONLineWriter) {
        line.beginObject("upload")
        line.beginObject("part")
        line.member("index", report.index)
        line.member("parent", report.parent)
        line.member("name", report.name, atMost: RecordBounds.name)
        line.member("kind", report.kind.rawValue)
        line.member("state", report.state.rawValue)
        line.member("content_type", report.contentType, atMost: RecordBounds.mediaType)
        line.member("headers", report.headerCount)
        line.beginObject("offset")
        line.member("start", report.contentOffset)
        line.member("end", report.endOffset)
        line.endObject()
        line.member("committed", report.isCommitted)
        line.endObject()
        line.endObject()
    }

    /// What follows the last dot of the filename's last path component, unless the dot begins it.
    package var fileExtension: String? {
        guard let filename = report.filename?.utf8 else { return nil }
        var start = filename.startIndex
        if let separator = filename.lastIndex(where: { $0 == 0x2F || $0 == 0x5C }) {
            start = filename.index(after: separator)
        }
        let component = filename[start...]
        guard let dot = component.lastIndex(of: UInt8(ascii: ".")), dot > start else { return nil }
        let ending = component[component.index(after: dot)...]
        return ending.isEmpty ? nil : String(Substring(ending))
    }
}
