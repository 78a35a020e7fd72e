internal import Inspection

/// Writes what `weir inspect` found for a reader at a terminal.
package struct InspectReport {
    private let result: InspectResult
    private var lines: [String] = []

    /// The report; `excerpt` gives the bytes around a finding, where they can still be had.
    package static func text(
        of result: InspectResult,
        name: String,
        excerpt: (InspectResult.Entry) -> (window: ByteWindow, caret: Int)?
    ) -> String {
        var report = InspectReport(result: result)
        report.writeSummary(name: name)
        report.writeParts()
        for entry in result.entries { report.write(entry, excerpt(entry)) }
        report.lines.append("")
        report.lines.append("verdict: \(result.verdict)")
        return report.lines.joined(separator: "\n")
    }

    private init(result: InspectResult) {
        self.result = result
    }

    private mutating func writeSummary(name: String) {
        let type = result.contentType.map { TerminalText.escaped($0, limit: 120) } ?? "no type"
        let parts = result.parts.count == 1 ? "1 part" : "\(result.parts.count) parts"
        lines.append("\(name): \(SizeText.rounded(result.bodyBytes)), \(parts), \(type)")
    }

    private mutating func writeParts() {
        guard !result.parts.isEmpty else { return }
        let header = ["part", "name", "filename", "type", "bytes", "offset", "state", "sha256"]
        let rows = [header] + result.parts.map(cells)
        let widths = header.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        lines.append("")
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                let isNumber = [0, 4, 5].contains(column)
                line += (column > 0 ? "  " : "") + (isNumber ? padding + cell : cell + padding)
            }
            while line.last == " " { line.removeLast() }
            lines.append(line)
        }
    }

    private func cells(of part: PartReport) -> [String] {
        let digest = part.digests.first { $0.algorithm == "sha256" }?.hexadecimal
        return [
            String(part.index),
            cell(part.name), cell(part.filename), cell(part.contentType),
            String(part.size), String(part.contentOffset), part.state.rawValue, digest ?? "-",
        ]
    }

    /// Text that was sent, safe to print; what is absent is a dash.
    private func cell(_ text: String?) -> String {
        text.map { $0.isEmpty ? "\"\"" : TerminalText.escaped($0, limit: 40) } ?? "-"
    }

    private mutating func write(
        _ entry: InspectResult.Entry,
        _ excerpt: (window: ByteWindow, caret: Int)?
    ) {
        let finding = entry.finding
        let part = finding.part.map { ", part \($0)" } ?? ""
        lines.append("")
        lines.append("\(finding.severity.rawValue): \(finding.code), \(place(of: entry))\(part)")
        lines.append("  \(TerminalText.escaped(finding.detail))")
        if let excerpt {
            lines += HexExcerpt.lines(excerpt.window, caretAt: excerpt.caret).map { "    " + $0 }
        }
        if let advice = Advice.advice(for: finding.code) {
            lines.append("  Likely cause: \(advice.cause)")
            lines.append("  To mend it: \(advice.remedy)")
        }
        lines.append("  See \(TerminalText.escaped(finding.reference))")
    }

    private func place(of entry: InspectResult.Entry) -> String {
        switch entry.place {
        case .body: "byte \(entry.finding.offset) of the body"
        case .file(let offset): "byte \(offset) of the file"
        }
    }
}
