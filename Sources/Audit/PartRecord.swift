package import Inspection

/// The record of one part of an upload, made as the part closes.
package struct PartRecord: Equatable, Sendable {
    package var identity: ExchangeIdentity

    /// When the part closed, on the wall clock, since 1970.
    package var timestampNanoseconds: Int64

    /// The place of this record among the records of the process, or of the exchange.
    package var sequence: UInt64

    package var report: PartReport

    /// The media type the first bytes of the content look like, or nil where nobody looked.
    package var sniffedType: String?

    package init(
        identity: ExchangeIdentity,
        timestampNanoseconds: Int64,
        sequence: UInt64,
        report: PartReport,
        sniffedType: String? = nil
    ) {
        self.identity = identity
        self.timestampNanoseconds = timestampNanoseconds
        self.sequence = sequence
        self.report = report
        self.sniffedType = sniffedType
    }
}
