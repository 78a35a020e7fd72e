/// What the events of both kinds have in common.
extension JSONLineWriter {
    /// The version of the Elastic Common Schema whose keys are used, as a member.
    static var schema: String { #""ecs":{"version":"8.17.0"}"# }

    /// Writes what ties the records of one exchange together.
    mutating func write(_ identity: ExchangeIdentity) {
        if let traceID = identity.traceID {
            beginObject("trace")
            member("id", traceID, atMost: RecordBounds.identifier)
            endObject()
        }
        beginObject("transaction")
        member("id", identity.transactionID, atMost: RecordBounds.identifier)
        endObject()
        if let address = identity.sourceAddress {
            beginObject("source")
            member("ip", address, atMost: RecordBounds.address)
            member("port", identity.sourcePort)
            endObject()
        }
        if let address = identity.clientAddress {
            beginObject("client")
            member("ip", address, atMost: RecordBounds.address)
            member("port", identity.clientPort)
            endObject()
        }
    }
}
