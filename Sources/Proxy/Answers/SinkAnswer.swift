internal import Audit
internal import HTTP1
internal import Inspection

/// What the built-in upload API answers: the parts it has read, as JSON.
struct SinkAnswer {
    let status: Int
    let parts: [PartReport]
    let bodyBytes: Int

    func answer(isHead: Bool, closes: Bool, isOldClient: Bool) -> [UInt8] {
        let document = document()
        var head = HeadWriter()
        head.statusLine(status)
        head.field(name: "Content-Type", value: "application/json")
        head.field(name: "Content-Length", value: document.count)
        if closes {
            head.field(name: "Connection", value: "close")
        } else if isOldClient {
            head.field(name: "Connection", value: "keep-alive")
        }
        head.finish()
        return isHead ? head.bytes : head.bytes + document
    }

    private func document() -> [UInt8] {
        var json = JSONLineWriter()
        json.beginObject()
        json.member("bytes", bodyBytes)
        json.beginArray("parts")
        for part in parts {
            json.beginObject()
            json.member("index", part.index)
            json.member("name", part.name)
            json.member("filename", part.filename)
            json.member("content_type", part.contentType)
            json.member("size", part.size)
            for digest in part.digests { json.member(digest.algorithm, digest.hexadecimal) }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        json.endLine()
        return json.finish()
    }
}
