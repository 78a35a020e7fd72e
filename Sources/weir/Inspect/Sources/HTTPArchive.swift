#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import Multipart
internal import Wire

/// Finds the body of one request in an HTTP archive (HAR 1.2), as browsers export them.
///
/// The body is `postData.text`, in base64 where `postData.encoding` says so; or it is encoded anew
/// from `postData.params`. An archive holds text: browsers leave out the content of files, so what
/// is judged here is how the request was built, not what it carried.
package struct HTTPArchive {
    package let contentType: String
    package let body: [UInt8]

    /// What the reader should know of what was read.
    package let notes: [String]

    /// The largest archive that is read; it has to be held whole.
    package static let maximumBytes = 256 << 20

    /// True for a file that begins as an archive does: with an object whose first name is `log`.
    package static func matches(_ beginning: ArraySlice<UInt8>) -> Bool {
        let head = beginning.starts(with: [0xEF, 0xBB, 0xBF]) ? beginning.dropFirst(3) : beginning
        let visible = head.prefix(4096).filter { $0 > ASCII.SP }
        return visible.starts(with: "{\"log\":{".utf8)
    }

    /// Reads the request of entry number `entry`, from 0, or of the first that has a body.
    package init(_ bytes: [UInt8], entry: Int?) throws(UsageProblem) {
        guard let root = try? JSONDecoder().decode(JSONValue.self, from: Data(bytes)),
            case .array(let entries)? = root["log"]?["entries"]
        else { throw UsageProblem("this is no HTTP archive: there is no log with entries") }
        let number: Int
        if let entry {
            guard entries.indices.contains(entry) else {
                let range = entries.isEmpty ? "none" : "0 to \(entries.count - 1)"
                throw UsageProblem("the archive has no entry \(entry); its entries are \(range)")
            }
            number = entry
        } else {
            let first = entries.firstIndex { $0["request"]?["postData"] != nil }
            guard let first else { throw UsageProblem("no request of the archive has a body") }
            number = first
        }
        guard let request = entries[number]["request"], let data = request["postData"] else {
            throw UsageProblem("the request of entry \(number) has no body")
        }
        let type = Self.contentType(of: request) ?? data["mimeType"]?.text
        guard let type else {
            throw UsageProblem("entry \(number) does not say what type its body has")
        }
        let (body, note) = try Self.body(data, type: type, number: number)
        contentType = type
        self.body = body
        let what = "\(request["method"]?.text ?? "") \(request["url"]?.text ?? "")"
        var notes = ["entry \(number) of \(entries.count): \(what)"]
        if let note { notes.append(note) }
        if case .integer(let size)? = request["bodySize"], size >= 0, size != body.count {
            notes.append(
                "the request had \(size) bytes of body, and the archive has \(body.count):"
                    + " browsers leave out the content of files"
            )
        }
        self.notes = notes
    }

    private static func contentType(of request: JSONValue) -> String? {
        guard case .array(let headers)? = request["headers"] else { return nil }
        return headers.first { $0["name"]?.text?.lowercased() == "content-type" }?["value"]?.text
    }

    private static func body(
        _ data: JSONValue,
        type: String,
        number: Int
    ) throws(UsageProblem) -> ([UInt8], note: String?) {
        if let text = data["text"]?.text, !text.isEmpty {
            guard data["encoding"]?.text == "base64" else { return (Array(text.utf8), nil) }
            guard let decoded = Data(base64Encoded: text) else {
                throw UsageProblem("the body of entry \(number) is not base64")
            }
            return (Array(decoded), nil)
        }
        guard case .array(let params)? = data["params"], !params.isEmpty,
            let boundary = boundary(in: type)
        else { return ([], nil) }
        var body: [UInt8] = []
        for param in params {
            body += "--\(boundary)\r\nContent-Disposition: form-data".utf8
            body += "; name=\"\(quoted(param["name"]?.text ?? ""))\"".utf8
            if let name = param["fileName"]?.text { body += "; filename=\"\(quoted(name))\"".utf8 }
            if let type = param["contentType"]?.text { body += "\r\nContent-Type: \(type)".utf8 }
            body += "\r\n\r\n\(param["value"]?.text ?? "")\r\n".utf8
        }
        body += "--\(boundary)--\r\n".utf8
        return (body, "the archive has the fields only; the body is encoded anew from them")
    }

    private static func boundary(in type: String) -> String? {
        let bytes = Array(type.utf8)
        return MultipartContentType(parsing: bytes.span).boundary?.description
    }

    /// As browsers write a name in quotes.
    private static func quoted(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\"": result += "%22"
            case "\r": result += "%0D"
            case "\n": result += "%0A"
            case "\r\n": result += "%0D%0A"
            default: result.append(character)
            }
        }
    }
}

extension JSONValue {
    fileprivate subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        let value = members.first { $0.name == name }?.value
        return value == .null ? nil : value
    }

    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }
}
