import Wire

/// The fields that a proxy has to know by name; every other field is `other`.
package enum KnownField: UInt8, CaseIterable, Sendable {
    case other
    case host, contentLength, transferEncoding
    case connection, keepAlive, proxyConnection, te, trailer, upgrade, http2Settings
    case expect, maxForwards
    case contentType, contentEncoding, contentRange, contentDigest, reprDigest, contentMD5
    case via, forwarded, xForwardedFor, xForwardedHost, xForwardedProto, xRealIP
    case xRequestID, traceparent, tracestate, userAgent, server, date, proxyStatus
    case range, cacheControl, authorization, proxyAuthorization, cookie, setCookie

    /// The field name in lower case; empty for `other`.
    package var name: String {
        switch self {
        case .other: ""
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .connection: "connection"
        case .keepAlive: "keep-alive"
        case .proxyConnection: "proxy-connection"
        case .te: "te"
        case .trailer: "trailer"
        case .upgrade: "upgrade"
        case .http2Settings: "http2-settings"
        case .expect: "expect"
        case .maxForwards: "max-forwards"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .contentRange: "content-range"
        case .contentDigest: "content-digest"
        case .reprDigest: "repr-digest"
        case .contentMD5: "content-md5"
        case .via: "via"
        case .forwarded: "forwarded"
        case .xForwardedFor: "x-forwarded-for"
        case .xForwardedHost: "x-forwarded-host"
        case .xForwardedProto: "x-forwarded-proto"
        case .xRealIP: "x-real-ip"
        case .xRequestID: "x-request-id"
        case .traceparent: "traceparent"
        case .tracestate: "tracestate"
        case .userAgent: "user-agent"
        case .server: "server"
        case .date: "date"
        case .proxyStatus: "proxy-status"
        case .range: "range"
        case .cacheControl: "cache-control"
        case .authorization: "authorization"
        case .proxyAuthorization: "proxy-authorization"
        case .cookie: "cookie"
        case .setCookie: "set-cookie"
        }
    }

    /// Classifies a field name, letters compared without case.
    ///
    /// The length alone leaves at most five candidates, so most names cost no comparison.
    package init(name: Span<UInt8>) {
        let candidate: KnownField? =
            switch name.count {
            case 2: Self.te.ifNamed(name)
            case 3: Self.via.ifNamed(name)
            case 4: Self.host.ifNamed(name) ?? Self.date.ifNamed(name)
            case 5: Self.range.ifNamed(name)
            case 6:
                Self.expect.ifNamed(name) ?? Self.cookie.ifNamed(name)
                    ?? Self.server.ifNamed(name)
            case 7: Self.upgrade.ifNamed(name) ?? Self.trailer.ifNamed(name)
            case 9: Self.forwarded.ifNamed(name) ?? Self.xRealIP.ifNamed(name)
            case 10:
                Self.connection.ifNamed(name) ?? Self.userAgent.ifNamed(name)
                    ?? Self.keepAlive.ifNamed(name) ?? Self.setCookie.ifNamed(name)
                    ?? Self.tracestate.ifNamed(name)
            case 11:
                Self.traceparent.ifNamed(name) ?? Self.reprDigest.ifNamed(name)
                    ?? Self.contentMD5.ifNamed(name)
            case 12:
                Self.contentType.ifNamed(name) ?? Self.xRequestID.ifNamed(name)
                    ?? Self.maxForwards.ifNamed(name) ?? Self.proxyStatus.ifNamed(name)
            case 13:
                Self.authorization.ifNamed(name) ?? Self.cacheControl.ifNamed(name)
                    ?? Self.contentRange.ifNamed(name)
            case 14:
                Self.contentLength.ifNamed(name) ?? Self.contentDigest.ifNamed(name)
                    ?? Self.http2Settings.ifNamed(name)
            case 15: Self.xForwardedFor.ifNamed(name)
            case 16:
                Self.contentEncoding.ifNamed(name) ?? Self.xForwardedHost.ifNamed(name)
                    ?? Self.proxyConnection.ifNamed(name)
            case 17: Self.transferEncoding.ifNamed(name) ?? Self.xForwardedProto.ifNamed(name)
            case 19: Self.proxyAuthorization.ifNamed(name)
            default: nil
            }
        self = candidate ?? .other
    }

    private func ifNamed(_ candidate: Span<UInt8>) -> KnownField? {
        candidate.equalsIgnoringCase(name) ? self : nil
    }
}

extension KnownField {
    /// True if the field speaks to the next hop only (RFC 9110 §7.6.1).
    package var isHopByHop: Bool {
        switch self {
        case .connection, .keepAlive, .proxyConnection, .te, .trailer, .transferEncoding,
            .upgrade, .http2Settings:
            true
        default: false
        }
    }

    /// True if the field may appear in a trailer section.
    ///
    /// RFC 9110 §6.5.1 keeps out what frames, routes, authenticates, modifies the request or
    /// says how to process the content: a recipient that merges trailers into the head would
    /// let the end of a body change a decision already taken at its beginning.
    package var isAllowedInTrailer: Bool {
        switch self {
        case .other, .contentDigest, .reprDigest, .contentMD5, .server, .date, .proxyStatus,
            .userAgent, .traceparent:
            true
        default: false
        }
    }
}
