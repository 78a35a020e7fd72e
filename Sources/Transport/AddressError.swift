/// Why a text is no address, as a sentence for the operator who wrote it.
package enum AddressError: Error, Equatable, Sendable, CustomStringConvertible {
    case hostMissing
    case hostInvalid(String)
    case bracketMissing
    case bracketsNeeded
    case portMissing
    case portInvalid(String)
    case pathMissing
    case pathTooLong
    case pathInvalid

    package var description: String {
        switch self {
        case .hostMissing:
            "An address needs a host before the colon, for example 127.0.0.1:8080."
        case .hostInvalid(let host):
            "\(host.debugDescription) is neither a host name nor an IP address."
        case .bracketMissing:
            "The bracket before the IPv6 address is never closed: write [::1]:8080."
        case .bracketsNeeded:
            "An IPv6 address stands in brackets before the port: write [::1]:8080."
        case .portMissing:
            "An address needs a port: write HOST:PORT, [v6]:PORT or unix:/path."
        case .portInvalid(let port):
            "The port \(port.debugDescription) is not a number from 0 to 65535."
        case .pathMissing:
            "A path must follow unix:, for example unix:/run/weir.sock."
        case .pathTooLong:
            "The path of a Unix socket has at most \(Address.maximumPathBytes) bytes."
        case .pathInvalid:
            "The path of a Unix socket cannot contain a NUL."
        }
    }
}
