internal import Audit
internal import HTTP1

extension RequestHead {
    /// What the request says of a resumable upload; most say nothing, and cost a comparison a field.
    var resumableFields: ResumableFields {
        var found = ResumableFields()
        for line in fields.lines where line.known == .other {
            for name in Self.resumableNames
            where name.utf8.count == line.name.count && fields.matches(line.name, name) {
                found.take(name, fields.value(line))
            }
        }
        return found
    }

    private static let resumableNames = [
        "upload-offset", "upload-length", "upload-complete", "upload-defer-length", "tus-resumable",
    ]
}
