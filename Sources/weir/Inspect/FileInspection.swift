internal import HTTP1
internal import Inspection
internal import Proxy
internal import Wire

/// Takes a file in pieces, finds the body in it, and inspects that, in constant memory.
package struct FileInspection: ~Copyable {
    /// What will be asked of the bytes once they have passed.
    package enum Excerpts: Sendable {
        case none
        /// They will be read from the file again.
        case fromFile
        /// They have to be kept: the file is a pipe.
        case fromTail
    }

    /// What the next byte belongs to.
    private enum Stage {
        case undecided
        case head
        case body
        /// Nothing: the request is over, or cannot be read on.
        case done
    }

    private let contentType: String?
    private var settings: CommandSettings
    private let excerpts: Excerpts
    private var stage = Stage.undecided
    private var parser: RequestHeadParser

    /// Undoes the transfer coding of a request's body; a bare body has none.
    private var decoder: BodyDecoder?
    private var body: BodyInspection?

    /// Content of small chunks, to be inspected together: at most one piece of the file.
    private var gathered: [UInt8] = []
    private var result = InspectResult()
    private var headBytes = 0

    /// What is wrong with the request around the body, if anything.
    private var requestFault: InspectResult.Entry?
    private var fileTail: ByteTail?

    package init(contentType: String?, settings: CommandSettings, excerpts: Excerpts = .none) {
        self.contentType = contentType
        self.settings = settings
        self.excerpts = excerpts
        parser = RequestHeadParser(limits: settings.proxy.headLimits)
        if case .fromTail = excerpts { fileTail = ByteTail() }
    }

    /// True once the rest of the file cannot change the result.
    package var isDone: Bool {
        if case .done = stage { true } else { false }
    }

    /// Consumes the next bytes of the file; what the file is, the first piece must tell.
    package mutating func consume(_ piece: ArraySlice<UInt8>) throws(UsageProblem) {
        let bytes = piece.span
        fileTail?.append(bytes)
        if case .undecided = stage { try decide(piece) }
        var index = 0
        if case .head = stage { index = readHead(bytes) }
        if case .body = stage { index += readBody(bytes.extracting(index..<bytes.count)) }
        if isDone, index < bytes.count, requestFault == nil {
            result.notes.append("the file goes on after the request; the rest is not inspected")
        }
    }

    /// Ends the file, and returns all that was found.
    package mutating func finish() throws(UsageProblem) -> (InspectResult, InspectExcerpts) {
        if case .undecided = stage { try decide([]) }
        if case .head = stage {
            refuse(Self.headTruncated(at: headBytes), at: headBytes)
        }
        if case .body = stage { finishBody() }
        result.parts = body?.parts ?? []
        result.bodyBytes = body?.byteCount ?? 0
        let found = body?.findings ?? []
        result.entries = found.map { InspectResult.Entry(finding: $0, place: .body) }
        if let requestFault { result.entries.append(requestFault) }
        return (result, InspectExcerpts(bodyTail: body?.tail, fileTail: fileTail))
    }
}

extension FileInspection {
    private mutating func decide(_ beginning: ArraySlice<UInt8>) throws(UsageProblem) {
        switch InspectSubject(beginning: beginning, contentType: contentType) {
        case .body(let contentType):
            beginBody([Array(contentType.utf8)[...]], framing: nil)
        case .guessedBody(let contentType):
            result.notes.append("no --content-type: reading the file as \(contentType)")
            beginBody([Array(contentType.utf8)[...]], framing: nil)
        case .request:
            stage = .head
        case nil:
            throw UsageProblem(
                "this is no HTTP request, and does not begin with a boundary:"
                    + " say what it is with --content-type"
            )
        }
    }

    private mutating func beginBody(
        _ contentTypes: [ArraySlice<UInt8>],
        framing: BodyFraming?,
        digests: RequestDigests? = nil
    ) {
        var declaredLength: Int?
        if case .length(let count) = framing { declaredLength = count }
        // Chunks are scattered over the file: their content cannot be read there again.
        let keepsTail =
            switch excerpts {
            case .none: false
            case .fromFile: framing == .chunked
            case .fromTail: true
            }
        body = BodyInspection(
            contentTypes: contentTypes,
            declaredLength: declaredLength,
            digests: digests,
            settings: settings,
            keepsTail: keepsTail
        )
        result.contentType = contentTypes.first.map { String(decoding: $0, as: UTF8.self) }
        result.bodyOffset = framing == .chunked ? nil : headBytes
        stage = .body
    }

    /// Reads the head on, and returns how many bytes of `bytes` belong to it.
    private mutating func readHead(_ bytes: Span<UInt8>) -> Int {
        do throws(Fault<HTTPReason>) {
            let consumed = try parser.consume(bytes)
            headBytes += consumed
            guard parser.isComplete else { return consumed }
            let head = try parser.takeHead()
            settings.proxy.policy =
                settings.proxySettings(to: .sink).routed(for: head).settings.policy
            let types = head.fields.lines.filter { $0.known == .contentType }
            decoder = BodyDecoder(
                head.framing,
                limits: BodyLimits(
                    chunkExtensionBytes: settings.proxy.chunkExtensionBytes,
                    trailerBytes: settings.proxy.trailerBytes
                )
            )
            beginBody(
                types.map { head.fields.value($0) },
                framing: head.framing,
                digests: RequestDigests(of: head)
            )
            return consumed
        } catch {
            refuse(error, at: error.offset)
            return bytes.count
        }
    }

    /// Reads the body on, and returns how many bytes of `bytes` belong to it.
    private mutating func readBody(_ bytes: Span<UInt8>) -> Int {
        guard decoder != nil else {
            body?.consume(bytes)
            return bytes.count
        }
        var index = 0
        do throws(Fault<HTTPReason>) {
            while index < bytes.count, decoder?.isComplete == false {
                let rest = bytes.extracting(index...)
                guard let run = try decoder?.next(in: rest) else { break }
                inspect(rest.extracting(run.framing..<run.framing + run.content))
                index += run.framing + run.content
            }
            inspectGathered()
        } catch {
            inspectGathered()
            body?.abort()
            refuse(error, at: headBytes + error.offset)
            return bytes.count
        }
        if decoder?.isComplete == true {
            body?.finish(trailers: decoder?.trailers)
            stage = .done
        }
        return index
    }

    /// Inspects the content of a chunk, at once or with that of the next ones.
    private mutating func inspect(_ content: Span<UInt8>) {
        guard content.count >= Self.worthACall else {
            return gathered.append(content.count, of: content)
        }
        inspectGathered()
        body?.consume(content)
    }

    /// What a piece needs, at least, for being inspected by itself to cost nothing.
    private static let worthACall = 1 << 10

    private mutating func inspectGathered() {
        guard !gathered.isEmpty else { return }
        // Taken out while it is lent, and put back for its memory.
        var content: [UInt8] = []
        swap(&content, &gathered)
        body?.consume(content.span)
        content.removeAll(keepingCapacity: true)
        gathered = content
    }

    private mutating func finishBody() {
        do throws(Fault<HTTPReason>) {
            try decoder?.finish()
            body?.finish(trailers: decoder?.trailers)
        } catch {
            body?.abort()
            refuse(error, at: headBytes + error.offset)
        }
    }

    /// Ends at a fault of the request itself, which no policy lets pass.
    private mutating func refuse(_ fault: Fault<HTTPReason>, at place: Int) {
        let finding = Finding(
            code: fault.reason.rawValue,
            severity: .block,
            detail: fault.reason.explanation,
            offset: fault.offset,
            reference: fault.reason.reference
        )
        refuse(finding, at: place)
    }

    private mutating func refuse(_ finding: Finding, at place: Int) {
        requestFault = InspectResult.Entry(finding: finding, place: .file(place))
        fileTail?.keep(around: place)
        stage = .done
    }

    /// A connection that ends inside a head leaves nothing to judge; a file that does is a defect.
    private static func headTruncated(at offset: Int) -> Finding {
        Finding(
            code: "http.head_truncated",
            severity: .block,
            detail: "The file ends inside the request head; an empty line was expected.",
            offset: offset,
            reference: "RFC 9112 §8"
        )
    }
}
