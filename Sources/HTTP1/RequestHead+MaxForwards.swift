import Wire

extension RequestHead {
    /// How many proxies an OPTIONS request may still pass; nil where it does not say.
    ///
    ///     Max-Forwards = 1*DIGIT                                     (RFC 9110 §7.6.2)
    ///
    /// Other methods may ignore the field, and do: TRACE is never forwarded. A number beyond
    /// `maximumForwards` is read as that.
    static func maximumForwards(
        in fields: FieldSection,
        method: String
    ) throws(HTTPFault) -> Int? {
        guard method == "OPTIONS", let line = fields.firstLine(.maxForwards) else { return nil }
        if let second = fields.secondLine(.maxForwards) {
            throw HTTPFault(.maxForwardsInvalid, at: second.name.lowerBound)
        }
        guard !line.value.isEmpty else {
            throw HTTPFault(.maxForwardsInvalid, at: line.value.lowerBound)
        }
        var count = 0
        for index in line.value {
            let byte = fields.bytes[index]
            guard ByteClass.digit.contains(byte) else {
                throw HTTPFault(.maxForwardsInvalid, at: index)
            }
            // Bounded by the maximum after each digit, it cannot overflow.
            count = min(maximumForwards, count * 10 + Int(byte - UInt8(ascii: "0")))
        }
        return count
    }

    /// No chain of proxies is longer.
    private static var maximumForwards: Int { 1000 }
}
