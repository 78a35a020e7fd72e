import Wire

extension FieldSection {
    /// Checks that the Connection options are tokens, and none of them names the framing.
    ///
    /// A proxy removes the fields that Connection lists. A client that lists Content-Length,
    /// Transfer-Encoding or Host asks for a message that the upstream ends, or routes, another way
    /// than it was checked here.
    func checkConnection() throws(HTTPFault) {
        for line in lines where line.known == .connection {
            for option in elements(of: line) {
                let name = bytes.span.extracting(option)
                guard name.isToken else {
                    throw HTTPFault(.connectionInvalid, at: option.lowerBound)
                }
                switch KnownField(name: name) {
                case .contentLength, .transferEncoding, .host:
                    throw HTTPFault(.connectionListsFraming, at: option.lowerBound)
                default: break
                }
            }
        }
    }

    /// True if the connection may carry another message after this one (RFC 9112 §9.3).
    func persists(minorVersion: Int) -> Bool {
        if listContains("close", in: .connection) { return false }
        return minorVersion >= 1 || listContains("keep-alive", in: .connection)
    }

    /// The one protocol that the sender offers to switch to, in lower case (RFC 9110 §7.8).
    ///
    /// Nil without `Connection: upgrade`, in HTTP/1.0, for a list to choose from, and for h2c,
    /// through which a tunnel would carry requests that nobody here has read. An Upgrade field
    /// may always be ignored.
    func offeredUpgrade(minorVersion: Int) -> String? {
        guard minorVersion >= 1, let line = firstLine(.upgrade), secondLine(.upgrade) == nil,
            listContains("upgrade", in: .connection)
        else { return nil }
        let offer = bytes.span.extracting(line.value)
        for index in offer.indices {
            guard ByteClass.token.contains(offer[index]) || offer[index] == UInt8(ascii: "/")
            else { return nil }
        }
        let name = text(of: line.value).lowercased()
        return name.isEmpty || name.hasPrefix("h2") ? nil : name
    }
}
