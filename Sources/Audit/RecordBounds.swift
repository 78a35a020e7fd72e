/// How many bytes of a value that a client chooses a record shows at most.
///
/// With these, and a bounded number of findings, a record has a largest size.
enum RecordBounds {
    static let name = 256
    static let filename = 512
    static let fileExtension = 32
    static let mediaType = 256
    static let digest = 128
    static let method = 32
    static let target = 2_048
    static let userAgent = 512
    static let route = 128
    static let address = 256
    static let identifier = 64
    static let requestID = 128
    static let findingCode = 64
    static let findingDetail = 512
    static let findingReference = 256
}
