import Inspection

/// Files as parts of forms, and what the inspector says they are.
enum SniffProbe {
    /// One byte for each scalar.
    static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    static func utf16(_ text: String, isBigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            let pair = [UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBigEndian ? pair : pair.reversed()
        }
    }

    static func form(_ content: [UInt8], type: String = "application/octet-stream") -> [UInt8] {
        let head =
            "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"x\"\r\n"
            + "Content-Type: \(type)\r\n\r\n"
        return Array(head.utf8) + content + Array("\r\n--b--".utf8)
    }

    static func inspect(
        _ cut: [ArraySlice<UInt8>],
        _ policy: InspectionPolicy = InspectionPolicy(),
        boundary: String = "b"
    ) -> UploadInspector {
        var inspector = UploadInspector(
            contentType: [Array("multipart/form-data; boundary=\(boundary)".utf8)[...]],
            declaredLength: nil,
            policy: policy
        )
        for piece in cut where inspector.refusal == nil { inspector.consume(piece.span) }
        if inspector.refusal == nil { inspector.finish() }
        return inspector
    }

    /// What many files begin like: all in one form, for speed.
    static func types(of files: [[UInt8]]) -> [String?] {
        var policy = InspectionPolicy()
        policy.digests = []
        policy.limits.parts = files.count
        policy.limits.files = files.count
        var body: [UInt8] = []
        for file in files {
            body += Array("--boundary-of-the-probe\r\n".utf8)
            body += Array("Content-Disposition: form-data; name=a; filename=b\r\n\r\n".utf8)
            body += file + Array("\r\n".utf8)
        }
        body += Array("--boundary-of-the-probe--".utf8)
        var inspector = inspect([body[...]], policy, boundary: "boundary-of-the-probe")
        return inspector.takeClosedParts(everything: true).map(\.sniffedType)
    }

    /// The codes found in a form with one file.
    static func codes(
        _ content: [UInt8],
        type: String = "application/octet-stream",
        denied: [String] = []
    ) -> [String] {
        var policy = InspectionPolicy()
        policy.deniedTypes = denied
        return inspect([form(content, type: type)[...]], policy).findings.map(\.code)
    }
}
