import Audit
import Dispatch
import Foundation
import Glibc
import Proxy
import Synchronization
import Testing
import Transport

/// A proxy on a free port of this machine, with its audit log in a file of its own.
final class RunningProxy {
    let port: UInt16
    let server: ProxyServer
    private let audit: AuditLog
    private let path: String
    private var hasStopped = false

    /// What the operator was told.
    private let told: Told

    /// Starts in front of `upstream`, or as a sink; one lane, so that connections are reused.
    ///
    /// Names are looked up by `lookUp`, and by nobody else.
    init(
        upstream: UInt16? = nil,
        _ change: (inout ProxySettings) -> Void = { _ in },
        lookUp: @escaping Resolver.LookUp = { _ throws(TransportError) in
            throw TransportError(.resolve, code: EAI_NONAME)
        }
    ) throws {
        let destination: Destination =
            if let upstream { .upstream(try Address("127.0.0.1:\(upstream)")) } else { .sink }
        var settings = ProxySettings(
            listen: [try Address("127.0.0.1:0")],
            destination: destination
        )
        settings.lanes = 1
        change(&settings)
        path = NSTemporaryDirectory() + "weir-proxy-\(UUID().uuidString).log"
        audit = try AuditLog(destination: .file(path), format: .ecs, version: "test")
        let told = Told()
        self.told = told
        server = ProxyServer(
            settings: settings,
            audit: audit,
            lookUp: lookUp,
            say: { told.add($0) }
        )
        port = try #require(try server.start().first?.port)
    }

    deinit {
        if !hasStopped { server.drain {} }
        try? FileManager.default.removeItem(atPath: path)
    }

    func client(receiveBuffer: Int32? = nil) throws -> RawClient {
        try RawClient(port: port, receiveBuffer: receiveBuffer)
    }

    /// Reloads, and waits until every lane has the new settings.
    func reload(_ settings: ProxySettings) throws {
        try server.reload(settings)
        // Lanes do what they are told in order, so who answers this has reloaded.
        let answered = DispatchSemaphore(value: 0)
        server.uploadsInFlight { _ in answered.signal() }
        try #require(answered.wait(timeout: .now() + 15) == .success)
    }

    /// Waits until the operator is told something that says `text`, and gives that sentence.
    func sentence(with text: String) throws -> String {
        try told.first { $0.contains(text) }
    }

    var sentences: [String] { told.all }

    /// Asks what is in flight until a line says `text`, and gives that line.
    func statusLine(with text: String) throws -> String {
        let end = Date(timeIntervalSinceNow: 15)
        while true {
            let answered = DispatchSemaphore(value: 0)
            let lines = Mutex<[String]>([])
            server.uploadsInFlight { answer in
                lines.withLock { $0 = answer }
                answered.signal()
            }
            try #require(answered.wait(timeout: .now() + 15) == .success)
            let line = lines.withLock { $0.first { $0.contains(text) } }
            if let line { return line }
            try #require(Date() < end, "\(text) is said in time")
        }
    }

    /// Begins to drain; the semaphore is signalled when all is over.
    ///
    /// As in the program, what is recorded later than that is lost.
    func drain() -> DispatchSemaphore {
        hasStopped = true
        let finished = DispatchSemaphore(value: 0)
        server.drain { [audit] in
            audit.close()
            finished.signal()
        }
        return finished
    }

    /// Drains, and reads what was recorded.
    func records() throws -> Records {
        if !hasStopped {
            let outcome = drain().wait(timeout: .now() + 20)
            try #require(outcome == .success, "drained in time")
        }
        try #require(audit.flush(within: .seconds(10)))
        return try Records(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Waits until `count` requests are recorded, and reads the records.
    func records(ofRequests count: Int) throws -> Records {
        let end = Date(timeIntervalSinceNow: 15)
        while true {
            try #require(audit.flush(within: .seconds(10)))
            let records = try Records(Data(contentsOf: URL(fileURLWithPath: path)))
            if records.requests.count >= count { return records }
            try #require(Date() < end, "\(count) requests are recorded in time")
        }
    }
}

/// Sentences that come from any thread.
private final class Told: @unchecked Sendable {  // behind the condition's lock
    private let condition = NSCondition()
    private var sentences: [String] = []

    var all: [String] { condition.withLock { sentences } }

    func add(_ sentence: String) {
        condition.withLock { sentences.append(sentence) }
        condition.broadcast()
    }

    func first(where isMet: (String) -> Bool) throws -> String {
        let end = Date(timeIntervalSinceNow: 15)
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let sentence = sentences.first(where: isMet) { return sentence }
            try #require(condition.wait(until: end), "it is told in time: \(sentences)")
        }
    }
}

/// The records of a log, told apart.
struct Records {
    var requests: [Record] = []
    var parts: [Record] = []

    init(_ lines: Data) throws {
        for line in lines.split(separator: 0x0A) {
            let value = try JSONSerialization.jsonObject(with: line)
            let record = Record(members: try #require(value as? [String: Any]))
            if record.text("event.dataset") == "weir.part" {
                parts.append(record)
            } else {
                requests.append(record)
            }
        }
    }

    /// The only request record; an issue where there are none or more.
    func onlyRequest(_ location: SourceLocation = #_sourceLocation) throws -> Record {
        try #require(requests.count == 1, sourceLocation: location)
        return requests[0]
    }
}

/// One record, whose members are reached by path.
struct Record {
    let members: [String: Any]

    func value(_ path: String) -> Any? {
        var value: Any? = members
        for key in path.split(separator: ".") {
            value = (value as? [String: Any])?[String(key)]
        }
        return value
    }

    func text(_ path: String) -> String? { value(path) as? String }

    func number(_ path: String) -> Int? { value(path) as? Int }

    func milliseconds(_ path: String) -> Double? { value(path) as? Double }
}
