/// Shows the bytes around an offset, sixteen a line, with a caret under the one that is meant.
///
///     0000  2d 2d 58 0a 43 6f 6e 74  65 6e 74 2d 44 69 73 70  --X.Content-Disp
///                    ^^                                         ^
package enum HexExcerpt {
    /// The lines of the excerpt; an offset just after the bytes is the end of the data.
    package static func lines(_ window: ByteWindow, caretAt offset: Int) -> [String] {
        guard offset >= window.start, offset <= window.end else { return [] }
        let digits = max(4, String(max(window.end, 1) - 1, radix: 16).count)
        var lines: [String] = []
        var row = window.start - window.start % 16
        while row < window.end || row <= offset {
            let line = Row(start: row, window: window)
            lines.append(
                hex(row, digits: digits) + "  " + line.hexadecimal + "  " + line.characters
            )
            if offset >= row, offset < row + 16 {
                lines.append(
                    caret(column: offset - row, digits: digits, atEnd: offset == window.end)
                )
            }
            row += 16
        }
        return lines
    }

    /// Sixteen places, of which those outside the window are blank.
    private struct Row {
        var hexadecimal = ""
        var characters = ""

        init(start: Int, window: ByteWindow) {
            for column in 0..<16 {
                let place = start + column - window.start
                let byte = window.bytes.indices.contains(place) ? window.bytes[place] : nil
                if column > 0 { hexadecimal += column == 8 ? "  " : " " }
                hexadecimal += byte.map { hex(Int($0), digits: 2) } ?? "  "
                characters += byte.map(character) ?? " "
            }
            while characters.last == " " { characters.removeLast() }
        }

        private func character(_ byte: UInt8) -> String {
            (0x20..<0x7F).contains(byte) ? String(UnicodeScalar(byte)) : "."
        }
    }

    private static func caret(column: Int, digits: Int, atEnd: Bool) -> String {
        let hexColumn = digits + 2 + column * 3 + (column >= 8 ? 1 : 0)
        let characterColumn = digits + 2 + 48 + 2 + column
        let blanks = String(repeating: " ", count: hexColumn)
        if atEnd { return blanks + "^^ the end" }
        return blanks + "^^" + String(repeating: " ", count: characterColumn - hexColumn - 2) + "^"
    }
}

private func hex(_ number: Int, digits: Int) -> String {
    let text = String(number, radix: 16)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
