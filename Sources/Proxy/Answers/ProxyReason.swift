internal import Wire

/// What goes wrong in an exchange without a single malformed byte: time, peers, capacity.
package enum ProxyReason: String, FaultReason {
    case headTimeout = "http.head_timeout"
    case headIncomplete = "http.head_incomplete"
    case bodyTimeout = "http.body_timeout"
    case traceRefused = "http.trace_refused"
    case routeAmbiguous = "http.route_ambiguous"
    case rateTooSlow = "rate.too_slow"
    case upstreamUnresolved = "upstream.unresolved"
    case upstreamRefused = "upstream.refused"
    case upstreamConnectTimeout = "upstream.connect_timeout"
    case upstreamClosed = "upstream.closed"
    case upstreamMalformed = "upstream.malformed_answer"
    case upstreamTimeout = "upstream.no_answer"
    case tooManyConnections = "proxy.too_many_connections"
    case outOfDescriptors = "proxy.out_of_descriptors"
    case tooManyFromAddress = "proxy.too_many_from_address"
    case draining = "proxy.draining"
    case proxyHeaderUntrusted = "proxy_header.untrusted"

    package var explanation: String {
        switch self {
        case .headTimeout: "The request head did not arrive in time."
        case .headIncomplete: "The client's stream ended within the request head."
        case .bodyTimeout: "The client stopped sending in the middle of the body."
        case .traceRefused: "TRACE would echo the request's fields; it is not forwarded."
        case .routeAmbiguous:
            "The path as sent takes one route, and tidied as an upstream may tidy it another."
        case .rateTooSlow: "The client sends fewer bytes a second than this listener asks for."
        case .upstreamUnresolved: "The upstream's name has no address."
        case .upstreamRefused: "The upstream did not accept the connection."
        case .upstreamConnectTimeout: "The upstream did not accept the connection in time."
        case .upstreamClosed: "The upstream closed the connection without a complete answer."
        case .upstreamMalformed: "The upstream's answer is not well-formed HTTP/1.1."
        case .upstreamTimeout: "The upstream did not answer in time."
        case .tooManyConnections: "The proxy has as many connections as it is allowed."
        case .outOfDescriptors: "The system has no file descriptor left for another connection."
        case .tooManyFromAddress: "This address has as many connections as it is allowed."
        case .draining: "The proxy is shutting down."
        case .proxyHeaderUntrusted:
            "The peer is in no trusted network, so it cannot say whose connection it passes on."
        }
    }

    package var reference: String {
        switch self {
        case .headTimeout: "policy timeouts.head"
        case .headIncomplete: "RFC 9112 8"
        case .bodyTimeout: "policy timeouts.bodyIdle"
        case .traceRefused: "RFC 9110 9.3.8"
        case .routeAmbiguous: "policy routes"
        case .rateTooSlow: "policy minimumRate"
        case .upstreamUnresolved, .upstreamRefused, .upstreamClosed, .upstreamMalformed:
            "RFC 9110 15.6.3"
        case .upstreamConnectTimeout: "policy timeouts.connect"
        case .upstreamTimeout: "policy timeouts.firstByte"
        case .tooManyConnections: "policy connections"
        case .tooManyFromAddress: "policy connectionsPerAddress"
        case .outOfDescriptors, .draining: "RFC 9110 15.6.4"
        case .proxyHeaderUntrusted: "policy trustedNetworks"
        }
    }

    /// The status code of Weir's answer.
    package var status: Int {
        switch self {
        case .headTimeout, .bodyTimeout, .rateTooSlow: 408
        case .headIncomplete, .routeAmbiguous, .proxyHeaderUntrusted: 400
        case .traceRefused: 405
        case .upstreamUnresolved, .upstreamRefused, .upstreamClosed, .upstreamMalformed: 502
        case .upstreamConnectTimeout, .upstreamTimeout: 504
        case .tooManyConnections, .outOfDescriptors, .draining: 503
        case .tooManyFromAddress: 429
        }
    }

    /// RFC 9209 §2.3: the registered error type for the Proxy-Status field.
    package var proxyError: String {
        switch self {
        case .headTimeout, .headIncomplete, .bodyTimeout, .rateTooSlow: "http_request_error"
        case .traceRefused, .routeAmbiguous, .proxyHeaderUntrusted: "http_request_denied"
        case .upstreamUnresolved: "dns_error"
        case .upstreamRefused: "connection_refused"
        case .upstreamConnectTimeout: "connection_timeout"
        case .upstreamClosed: "http_response_incomplete"
        case .upstreamMalformed: "http_protocol_error"
        case .upstreamTimeout: "http_response_timeout"
        case .tooManyConnections, .tooManyFromAddress, .outOfDescriptors:
            "connection_limit_reached"
        case .draining: "destination_unavailable"
        }
    }
}
