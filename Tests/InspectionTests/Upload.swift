import Inspection
import Wire

/// A body to inspect, and what the inspector makes of it.
struct Upload {
    var contentType = "multipart/form-data; boundary=X"
    var body: String
    var policy = InspectionPolicy()

    /// The inspector after the whole body, in pieces of `size`.
    func inspect(pieces size: Int = 1 << 20, continues: Bool = false) -> UploadInspector {
        let type = Array(contentType.utf8)
        let bytes = Array(body.utf8)
        var inspector = UploadInspector(
            contentType: [type[...]],
            declaredLength: nil,
            policy: policy,
            continuesAfterBlock: continues
        )
        for start in stride(from: 0, to: bytes.count, by: size) {
            inspector.consume(bytes[start..<min(bytes.count, start + size)].span)
        }
        inspector.finish()
        return inspector
    }

    /// The codes found, each with its severity.
    var found: [String] {
        inspect(continues: true).findings.map { "\($0.code)=\($0.severity.rawValue)" }
    }
}
