/// Writes JSON objects (RFC 8259), one a line, into a buffer that is used again and again.
///
/// It holds no stack: a comma is due unless the last byte opens an object or an array, or ends the
/// line before, and no string can end in one of these bytes, as it ends in a quotation mark. That
/// begins and ends match is the caller's duty. Keys are constants of this module and are written
/// as they are; values are escaped, and cut where a bound is given.
package struct JSONLineWriter: Sendable {
    package private(set) var bytes: [UInt8]

    /// Continues `bytes`, which are empty or end with a line end.
    package init(continuing bytes: consuming [UInt8] = []) {
        self.bytes = bytes
    }

    /// Gives the buffer back.
    package consuming func finish() -> [UInt8] { bytes }

    package mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    // MARK: Structure

    package mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func beginObject(_ key: String) {
        begin(key)
        bytes.append(UInt8(ascii: "{"))
    }

    package mutating func endObject() { bytes.append(UInt8(ascii: "}")) }

    package mutating func beginArray(_ key: String) {
        begin(key)
        bytes.append(UInt8(ascii: "["))
    }

    package mutating func endArray() { bytes.append(UInt8(ascii: "]")) }

    // MARK: Members; one whose value is nil is left out

    package mutating func member(_ key: String, _ value: String?, atMost limit: Int = .max) {
        guard let value else { return }
        begin(key)
        bytes.append(escaping: value, atMost: limit, as: .json)
    }

    package mutating func member(_ key: String, _ value: Int?) {
        guard let value else { return }
        begin(key)
        bytes.append(decimal: value)
    }

    package mutating func member(_ key: String, _ value: UInt64) {
        begin(key)
        bytes.append(decimal: value)
    }

    package mutating func member(_ key: String, _ value: Bool) {
        begin(key)
        bytes.append(contentsOf: (value ? "true" : "false").utf8)
    }

    /// A duration in milliseconds, with three decimals in any case.
    package mutating func member(_ key: String, milliseconds nanoseconds: UInt64?) {
        guard let nanoseconds else { return }
        begin(key)
        bytes.append(decimal: nanoseconds / 1_000_000)
        bytes.append(UInt8(ascii: "."))
        let micros = nanoseconds / 1_000 % 1_000
        if micros < 100 { bytes.append(UInt8(ascii: "0")) }
        if micros < 10 { bytes.append(UInt8(ascii: "0")) }
        bytes.append(decimal: micros)
    }

    /// An instant, as RFC 3339 writes it.
    package mutating func member(_ key: String, instant nanosecondsSince1970: Int64) {
        begin(key)
        bytes.append(UInt8(ascii: "\""))
        RFC3339.append(nanosecondsSince1970, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Members that are the same in every record, as they stand on the line.
    package mutating func constant(_ members: String) {
        separate()
        bytes.append(contentsOf: members.utf8)
    }

    // MARK: Elements

    package mutating func element(_ value: String, atMost limit: Int = .max) {
        separate()
        bytes.append(escaping: value, atMost: limit, as: .json)
    }

    // MARK: Fragments

    /// Appends the key, and what goes before and after it, at once: this is most of the work.
    private mutating func begin(_ key: String) {
        let isCommaDue = isCommaDue
        let key = key.utf8.span
        bytes.append(addingCapacity: key.count + 4) { output in
            if isCommaDue { output.append(UInt8(ascii: ",")) }
            output.append(UInt8(ascii: "\""))
            for index in key.indices { output.append(key[index]) }
            output.append(UInt8(ascii: "\""))
            output.append(UInt8(ascii: ":"))
        }
    }

    private mutating func separate() {
        if isCommaDue { bytes.append(UInt8(ascii: ",")) }
    }

    private var isCommaDue: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\n"): false
        default: true
        }
    }
}
