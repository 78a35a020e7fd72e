import Wire

extension FieldSection {
    /// True for a field beside the known ones that says where a request comes from, or that an
    /// upstream takes for one that does.
    ///
    /// Gateways such as CGI and WSGI make one variable of `X-Forwarded-For` and `X_Forwarded_For`,
    /// so an underscore counts as a dash. A trusted sender is believed (`X-Forwarded-Port`), but
    /// not with an underscore: what is written so has only passed through it.
    package func claimsOrigin(_ line: FieldLine, isTrusted: Bool) -> Bool {
        guard line.known == .other, line.name.count >= Self.shortestClaim else { return false }
        var name: [UInt8] = []
        var hasUnderscore = false
        for index in line.name {
            let byte = bytes[index]
            hasUnderscore = hasUnderscore || byte == UInt8(ascii: "_")
            name.append(byte == UInt8(ascii: "_") ? ASCII.dash : ASCII.lowercased(byte))
        }
        if isTrusted, !hasUnderscore { return false }
        return name.starts(with: "x-forwarded-".utf8) || name.elementsEqual("x-real-ip".utf8)
    }

    /// `x-real-ip` has nine letters.
    private static var shortestClaim: Int { 9 }
}
