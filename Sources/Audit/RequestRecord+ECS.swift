internal import Inspection

extension RequestRecord {
    /// Writes the `upload` event as one line; `version` is the observer's, Weir.
    package func writeECS(to line: inout JSONLineWriter, version: String) {
        line.beginObject()
        writeEvent(to: &line)
        line.write(identity)
        writeHTTP(to: &line)
        writeURL(to: &line)
        if let userAgent {
            line.beginObject("user_agent")
            line.member("original", userAgent, atMost: RecordBounds.userAgent)
            line.endObject()
        }
        if let destinationAddress {
            line.beginObject("destination")
            line.member("address", destinationAddress, atMost: RecordBounds.address)
            line.member("bytes", destinationBytes)
            line.endObject()
        }
        if let finding = decisiveFinding {
            line.beginObject("rule")
            line.member("id", finding.code, atMost: RecordBounds.findingCode)
            line.member("ruleset", profile.rawValue)
            line.member("reference", finding.reference, atMost: RecordBounds.findingReference)
            line.endObject()
        }
        writeUpload(to: &line)
        line.beginObject("observer")
        line.constant(#""type":"proxy","product":"weir""#)
        line.member("version", version, atMost: RecordBounds.identifier)
        line.endObject()
        line.endObject()
        line.endLine()
    }

    private func writeEvent(to line: inout JSONLineWriter) {
        line.member("@timestamp", instant: timestampNanoseconds)
        line.constant(JSONLineWriter.schema)
        line.beginObject("event")
        line.constant(isAlert ? #""kind":"alert""# : #""kind":"event""#)
        line.constant(#""category":["web"]"#)
        line.constant(
            verdict == .blocked ? #""type":["access","denied"]"# : #""type":["access","allowed"]"#
        )
        line.constant(#""action":"upload""#)
        line.constant(isForwardedWhole ? #""outcome":"success""# : #""outcome":"failure""#)
        line.constant(#""dataset":"weir.upload""#)
        line.member("id", identity.requestID, atMost: RecordBounds.identifier)
        line.member("duration", durationNanoseconds)
        if let finding = decisiveFinding {
            line.member("code", finding.code, atMost: RecordBounds.findingCode)
            line.member("reason", finding.detail, atMost: RecordBounds.findingDetail)
        }
        line.endObject()
    }

    private var isForwardedWhole: Bool {
        switch verdict {
        case .allowed, .observed: true
        case .blocked, .aborted: false
        }
    }

    private func writeHTTP(to line: inout JSONLineWriter) {
        line.beginObject("http")
        line.member("version", httpVersion, atMost: RecordBounds.identifier)
        line.beginObject("request")
        line.member("id", identity.forwardedID, atMost: RecordBounds.requestID)
        line.member("method", method, atMost: RecordBounds.method)
        line.member("bytes", requestBytes)
        line.beginObject("body")
        line.member("bytes", bodyBytes)
        line.endObject()
        line.endObject()
        if let status {
            line.beginObject("response")
            line.member("status_code", status)
            line.member("bytes", responseBytes)
            line.endObject()
        }
        line.endObject()
    }

    private func writeURL(to line: inout JSONLineWriter) {
        guard path != nil || query != nil || target != nil else { return }
        line.beginObject("url")
        line.member("path", path, atMost: RecordBounds.target)
        line.member("query", query, atMost: RecordBounds.target)
        line.member("original", target, atMost: RecordBounds.target)
        line.endObject()
    }

    private func writeUpload(to line: inout JSONLineWriter) {
        line.beginObject("upload")
        line.member("mode", mode.rawValue)
        line.member("profile", profile.rawValue)
        line.member("route", route, atMost: RecordBounds.route)
        line.member("verdict", verdict.rawValue)
        if let wouldBlock {
            line.beginObject("would_block")
            line.writeMembers(of: wouldBlock)
            line.endObject()
        }
        if let wouldBlockStrict {
            line.beginObject("would_block_strict")
            line.member("code", wouldBlockStrict.code, atMost: RecordBounds.findingCode)
            line.member("offset", wouldBlockStrict.offset)
            line.member("part", wouldBlockStrict.part)
            line.endObject()
        }
        line.member("termination", termination.code)
        line.member("blame", blame.rawValue)
        line.member("declared_bytes", declaredBytes)
        line.member("received_bytes", receivedBytes)
        line.member("forwarded_bytes", forwardedBytes)
        line.member("framing", framing.rawValue)
        resumable.write(to: &line)
        tunnel?.write(to: &line)
        line.beginObject("parts")
        line.member("total", parts.total)
        line.member("files", parts.files)
        line.member("committed", parts.committed)
        line.endObject()
        line.beginObject("timing")
        line.member("client_wait_ms", milliseconds: timing.clientWaitNanoseconds)
        line.member("upstream_wait_ms", milliseconds: timing.upstreamWaitNanoseconds)
        line.member("connect_ms", milliseconds: timing.connectNanoseconds)
        line.member("total_ms", milliseconds: durationNanoseconds)
        line.endObject()
        if let fidelity {
            line.beginObject("fidelity")
            line.member("received_sha256", fidelity.received, atMost: RecordBounds.digest)
            line.member("forwarded_sha256", fidelity.forwarded, atMost: RecordBounds.digest)
            line.endObject()
        }
        writeFindings(to: &line)
        line.endObject()
    }

    private func writeFindings(to line: inout JSONLineWriter) {
        guard !findings.isEmpty else { return }
        line.beginArray("findings")
        for finding in findings.prefix(Self.maximumFindings) {
            line.beginObject()
            line.writeMembers(of: finding)
            line.endObject()
        }
        line.endArray()
        if findings.count > Self.maximumFindings {
            line.member("findings_omitted", findings.count - Self.maximumFindings)
        }
    }
}

extension JSONLineWriter {
    fileprivate mutating func writeMembers(of finding: Finding) {
        member("code", finding.code, atMost: RecordBounds.findingCode)
        member("severity", finding.severity.rawValue)
        member("detail", finding.detail, atMost: RecordBounds.findingDetail)
        member("offset", finding.offset)
        member("part", finding.part)
        member("reference", finding.reference, atMost: RecordBounds.findingReference)
        member("alias", ModSecurityAlias.alias(of: finding.code))
    }
}
