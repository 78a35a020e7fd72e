package import Wire

/// Why a connection does not begin with the PROXY header it has to begin with.
package enum ProxyHeaderReason: String, FaultReason {
    case missing = "proxy_header.missing"
    case lineInvalid = "proxy_header.line_invalid"
    case lineTooLong = "proxy_header.line_too_long"
    case commandUnknown = "proxy_header.command_unknown"
    case familyUnknown = "proxy_header.family_unknown"
    case lengthInvalid = "proxy_header.length_invalid"
    case tooLong = "proxy_header.too_long"
    case extensionInvalid = "proxy_header.extension_invalid"

    package var explanation: String {
        switch self {
        case .missing: "The connection does not begin with a PROXY header, as this listener asks."
        case .lineInvalid:
            "The PROXY line is not a family, two addresses of it and two ports, one space between."
        case .lineTooLong: "The PROXY line has more than 107 bytes."
        case .commandUnknown: "The PROXY header's version is not 2, or its command not known."
        case .familyUnknown: "The PROXY header's address family or transport is not known."
        case .lengthInvalid: "The PROXY header is shorter than the addresses of its family."
        case .tooLong: "The PROXY header is longer than 4 KiB."
        case .extensionInvalid: "The PROXY header ends within one of its extensions."
        }
    }

    package var reference: String {
        switch self {
        case .missing: "PROXY protocol 2"
        case .lineInvalid, .lineTooLong: "PROXY protocol 2.1"
        case .commandUnknown, .familyUnknown, .lengthInvalid, .tooLong, .extensionInvalid:
            "PROXY protocol 2.2"
        }
    }
}

/// A defect of a PROXY header, and where it is.
package typealias ProxyHeaderFault = Fault<ProxyHeaderReason>
