import Wire

/// The way a message has come, one element for each proxy that tells, the nearest one last.
///
/// Each proxy adds to the right, so what stands left may be anyone's invention. The chain is read
/// from the right, and ends where it is malformed: for X-Forwarded-For at the element, for
/// Forwarded, where a quote decides what the rest means, at the field line. What is left of that is
/// as if it were not there.
package struct ForwardedChain: Equatable, Sendable {
    package private(set) var elements: [ForwardedElement] = []

    /// The field says something, be it malformed.
    package private(set) var isPresent = false

    /// Proxies that a request may have passed; what stands further left is not believed.
    ///
    /// A longer chain is nobody's real way, and every element of it costs each proxy behind.
    package static let mostElements = 64

    package init() {}

    /// Reads all X-Forwarded-For lines as one list.
    package init(xForwardedFor fields: FieldSection) {
        var names: [Range<Int>] = []
        for line in fields.lines where line.known == .xForwardedFor {
            names += fields.elements(of: line)
        }
        isPresent = !names.isEmpty
        for name in names.reversed() {
            let bytes = fields.bytes.span.extracting(name)
            guard elements.count < Self.mostElements,
                let node = ForwardedNode(bytes, allowsBareIPv6: true)
            else { break }
            elements.append(ForwardedElement(node: node))
        }
        elements.reverse()
    }

    /// Reads all Forwarded lines as one list.
    package init(forwarded fields: FieldSection) {
        for line in fields.lines.reversed() where line.known == .forwarded {
            // Few lines: the head has a limit of them.
            guard let list = ForwardedElement.list(in: fields.bytes.span.extracting(line.value))
            else {
                isPresent = true
                break
            }
            isPresent = isPresent || !list.isEmpty
            elements.insert(contentsOf: list, at: 0)
        }
        if elements.count > Self.mostElements {
            elements.removeFirst(elements.count - Self.mostElements)
        }
    }
}

extension FieldSection {
    /// The value of X-Forwarded-Host, if it is there once and is a host.
    package var forwardedHost: String? {
        guard let line = firstLine(.xForwardedHost), secondLine(.xForwardedHost) == nil,
            HostSyntax.firstOffence(in: bytes.span.extracting(line.value)) == nil
        else { return nil }
        return text(of: line.value)
    }

    /// The value of X-Forwarded-Proto, if it is there once and is `http` or `https`.
    package var forwardedScheme: String? {
        guard let line = firstLine(.xForwardedProto), secondLine(.xForwardedProto) == nil else {
            return nil
        }
        return ["http", "https"].first { matches(line.value, $0) }
    }
}
