import Wire

/// Which lines of a message may be copied into the message for the next hop (RFC 9110 §7.6.1).
///
/// Not the fields that speak to this hop only, and not those that Connection lists. Not
/// Content-Length and Host either: the proxy writes both itself, from what it has parsed, so that
/// the upstream cannot read them another way.
///
/// An option that lists any other field known to the proxy strips nothing. The RFC forbids such
/// options, and to honour one would let a client choose which of the facts that were checked here,
/// a Content-Type or a digest, reach the upstream.
package struct HopByHop: Sendable {
    private let fields: FieldSection

    /// The Connection options that are not fields known to the proxy.
    private let listed: [Range<Int>]

    private let isUpgrading: Bool

    /// Reads the Connection options of `fields`.
    ///
    /// Upgrade passes only if `isUpgrading`: the proxy then sends its own `Connection: upgrade`.
    package init(fields: FieldSection, isUpgrading: Bool = false) {
        self.fields = fields
        self.isUpgrading = isUpgrading
        var listed: [Range<Int>] = []
        for line in fields.lines where line.known == .connection {
            for option in fields.elements(of: line) {
                let known = KnownField(name: fields.bytes.span.extracting(option))
                let saysNothing =
                    known != .other || fields.matches(option, "close")
                    || fields.matches(option, "keep-alive")
                if !saysNothing { listed.append(option) }
            }
        }
        self.listed = listed
    }

    /// True if `line` of the fields may be copied.
    package func forwards(_ line: FieldLine) -> Bool {
        switch line.known {
        case .upgrade: return isUpgrading
        case .contentLength, .host: return false
        case .other: return !isListed(line)
        default: return !line.known.isHopByHop
        }
    }

    private func isListed(_ line: FieldLine) -> Bool {
        let bytes = fields.bytes.span
        let name = bytes.extracting(line.name)
        for option in listed where option.count == name.count {
            if name.equalsIgnoringCase(bytes.extracting(option)) { return true }
        }
        return false
    }
}

extension Span<UInt8> {
    fileprivate func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices {
            guard ASCII.lowercased(self[index]) == ASCII.lowercased(other[index]) else {
                return false
            }
        }
        return true
    }
}
