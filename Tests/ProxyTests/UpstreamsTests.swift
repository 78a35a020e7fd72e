import Dispatch
import Foundation
import Glibc
import Proxy
import Synchronization
import TestSupport
import Testing
import Transport

/// Several addresses behind one proxy: how requests are shared, and what happens when some fail.
@Suite(.serialized, .timeLimit(.minutes(1))) struct UpstreamsTests {
    private static let get = "GET /g HTTP/1.1\r\nHost: h\r\n\r\n"

    /// Upstreams that answer with their own number.
    private static func numbered(_ count: Int) throws -> [RecordingUpstream] {
        try (0..<count).map { number in
            try RecordingUpstream { peer in
                while try peer.request() != nil { try peer.answer("\(number)") }
            }
        }
    }

    private static func proxy(
        before ports: [UInt16],
        _ change: (inout ProxySettings) -> Void = { _ in }
    ) throws -> RunningProxy {
        let addresses = try ports.map { try Address("127.0.0.1:\($0)") }
        return try RunningProxy {
            $0.destination = .upstreams(addresses)
            change(&$0)
        }
    }

    /// A port on which nobody listens any more.
    private static func closedPort() throws -> UInt16 {
        let (socket, port) = try TestSocket.listening()
        socket.stopListening()
        return port
    }

    private static func ask(_ proxy: RunningProxy, _ count: Int) throws -> [String] {
        var client = try proxy.client()
        return try (0..<count).map { _ in
            try client.send(get)
            return try client.response().text
        }
    }

    @Test(arguments: [1, 3])
    func requestsGoRound(lanes: Int) throws {
        let upstreams = try Self.numbered(3)
        let proxy = try Self.proxy(before: upstreams.map(\.port)) { $0.lanes = lanes }
        for _ in 0..<4 { #expect(Set(try Self.ask(proxy, 3)) == ["0", "1", "2"]) }
        #expect(upstreams.map(\.requests.count) == [4, 4, 4])
    }

    @Test func theLeastBusyGetsTheNext() throws {
        let release = DispatchSemaphore(value: 0)
        let busy = try RecordingUpstream { peer in
            while try peer.request() != nil {
                release.wait()
                try peer.answer("busy")
            }
        }
        let free = try RecordingUpstream { peer in
            while try peer.request() != nil { try peer.answer("free") }
        }
        let proxy = try Self.proxy(before: [busy.port, free.port]) {
            $0.balance = .leastConnections
        }
        var held = try proxy.client()
        try held.send(Self.get)
        #expect(busy.wait { $0.first?.requests.count == 1 })
        #expect(try Self.ask(proxy, 4) == ["free", "free", "free", "free"])
        release.signal()
        #expect(try held.response().text == "busy")
    }

    @Test func whoRefusesIsPassedOverAtOnceAndThenLeftOut() throws {
        let upstreams = try Self.numbered(1)
        let closed = try Self.closedPort()
        let proxy = try Self.proxy(before: [closed, upstreams[0].port])
        #expect(try Self.ask(proxy, 8) == Array(repeating: "0", count: 8))
        let sentence = try proxy.sentence(with: "127.0.0.1:\(closed) has failed")
        #expect(sentence.contains("upstream.refused"))
        #expect(sentence.contains("for 10s"))
        let lines = proxy.server.upstreamLines()
        #expect(lines.contains { $0.contains("127.0.0.1:\(closed) resting for ") })
        #expect(lines.contains { $0.contains("127.0.0.1:\(upstreams[0].port) good") })
        let records = try proxy.records().requests
        #expect(records.count == 8)
        for record in records {
            #expect(record.text("destination.address") == "127.0.0.1:\(upstreams[0].port)")
            #expect(record.text("upload.verdict") == "allowed")
        }
    }

    /// Where all are left out, none is; and the record names the last that was asked.
    @Test func whereAllFailTheyAreTriedAllTheSame() throws {
        let closed = try [Self.closedPort(), Self.closedPort()]
        let proxy = try Self.proxy(before: closed)
        for _ in 0..<5 {
            var client = try proxy.client()
            try client.send(Self.get)
            let response = try client.response()
            #expect(response.status == 502)
            #expect(response.text.contains("upstream.refused"))
        }
        let addresses = closed.map { "127.0.0.1:\($0)" }
        for record in try proxy.records().requests {
            let address = try #require(record.text("destination.address"))
            #expect(addresses.contains(address))
        }
    }

    /// Accepting nothing is found out in a share of the time to connect.
    @Test func whoHangsIsPassedOver() throws {
        let upstreams = try Self.numbered(1)
        let lane = Lane(label: "full")
        var options = Listener.Options()
        options.backlog = 0
        let loopback = try #require(SocketAddress(ip: "127.0.0.1", port: 0))
        let full = try Listener(loopback, on: lane, options: options)
        let port = try #require(full.address.port)
        // The one connection that may wait does.
        let waiting = try TestSocket(connectingTo: port)
        let proxy = try Self.proxy(before: [port, upstreams[0].port]) {
            $0.timeouts.connect = .milliseconds(600)
            $0.health.failures = 1
        }
        #expect(try Self.ask(proxy, 3) == ["0", "0", "0"])
        let sentence = try proxy.sentence(with: "127.0.0.1:\(port) has failed")
        #expect(sentence.contains("upstream.connect_timeout"))
        withExtendedLifetime((waiting, full)) {}
    }

    @Test(arguments: ["", "nonsense\r\n\r\n", "late"])
    func answersThatAreNoneCount(answer: String) throws {
        let upstreams = try Self.numbered(1)
        let bad = try RecordingUpstream { peer in
            while try peer.request() != nil {
                if answer == "late" { return try peer.drain() }
                try peer.send(answer)
                return
            }
        }
        let proxy = try Self.proxy(before: [bad.port, upstreams[0].port]) {
            $0.timeouts.firstByte = .milliseconds(100)
            $0.health.failures = 2
        }
        var statuses: [Int?] = []
        for _ in 0..<8 {
            var client = try proxy.client()
            try client.send("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx")
            statuses.append(try client.response().status)
        }
        // An upload is never sent twice, so two of them fail; then nobody is sent there.
        #expect(statuses.filter { $0 == 200 }.count == 6)
        #expect(bad.requests.count == 2)
    }

    @Test func afterThePauseItIsUsedAgain() throws {
        let isWell = Atomic(false)
        let bad = try RecordingUpstream { peer in
            while try peer.request() != nil {
                guard isWell.load(ordering: .relaxed) else { return }
                try peer.answer("bad")
            }
        }
        let good = try RecordingUpstream { peer in
            while try peer.request() != nil { try peer.answer("good") }
        }
        let proxy = try Self.proxy(before: [bad.port, good.port]) {
            $0.health.failures = 1
            $0.health.pause = .milliseconds(200)
        }
        // A GET that met a connection which closed is not sent again either: it was a new one.
        while !proxy.sentences.contains(where: { $0.contains("has failed") }) {
            var client = try proxy.client()
            try client.send(Self.get)
            _ = try client.response()
        }
        isWell.store(true, ordering: .relaxed)
        while try !Self.ask(proxy, 2).contains("bad") {}
        #expect(try proxy.sentence(with: "127.0.0.1:\(bad.port) is back").hasSuffix("is back"))
        #expect(try Set(Self.ask(proxy, 2)) == ["bad", "good"])
    }

    @Test func checksDecideWhereTheyAreAskedFor() throws {
        let isWell = Atomic(false)
        let checked = try RecordingUpstream { peer in
            while let request = try peer.request() {
                let isCheck = request.startLine == "GET /healthz HTTP/1.1"
                let isGood = !isCheck || isWell.load(ordering: .relaxed)
                try peer.send(
                    "HTTP/1.1 \(isGood ? 204 : 500) X\r\n\(isGood ? "" : "Content-Length: 0\r\n")\r\n"
                )
            }
        }
        let other = try Self.numbered(1)[0]
        let proxy = try Self.proxy(before: [checked.port, other.port]) {
            $0.health.path = "/healthz"
            $0.health.every = .milliseconds(100)
        }
        let sentence = try proxy.sentence(with: "127.0.0.1:\(checked.port) has failed")
        #expect(sentence.contains("its health: it answers 500"))
        #expect(try Self.ask(proxy, 4) == ["0", "0", "0", "0"])
        isWell.store(true, ordering: .relaxed)
        _ = try proxy.sentence(with: "127.0.0.1:\(checked.port) is back")
        #expect(try Set(Self.ask(proxy, 2)) == ["", "0"])
        let check = try #require(checked.requests.first)
        #expect(check.field("Host") == "127.0.0.1:\(checked.port)")
        #expect(check.field("Connection") == "close")
    }

    // MARK: Names

    /// A name whose addresses a test changes.
    private final class Names: Sendable {
        private let hosts = Mutex<[String]>([])

        func move(to hosts: [String]) { self.hosts.withLock { $0 = hosts } }

        func lookUp(_ address: Address) throws(TransportError) -> [SocketAddress] {
            let found = hosts.withLock { $0 }.compactMap {
                SocketAddress(ip: $0, port: address.port ?? 0)
            }
            guard !found.isEmpty else { throw TransportError(.resolve, code: EAI_NONAME) }
            return found
        }
    }

    private static func proxy(
        named names: Names,
        port: UInt16,
        _ change: (inout ProxySettings) -> Void = { _ in }
    ) throws -> RunningProxy {
        let address = try Address("api.test:\(port)")
        let set: (inout ProxySettings) -> Void = {
            $0.destination = .upstream(address)
            change(&$0)
        }
        return try RunningProxy(set) { address throws(TransportError) in
            try names.lookUp(address)
        }
    }

    @Test func aNameThatIsFoundLateIsWaitedFor() throws {
        let upstream = try Self.numbered(1)[0]
        let names = Names()
        let proxy = try Self.proxy(named: names, port: upstream.port)
        _ = try proxy.sentence(with: "cannot be looked up")
        do {
            var client = try proxy.client()
            try client.send(Self.get)
            let response = try client.response()
            #expect(response.status == 502)
            #expect(response.text.contains("upstream.unresolved"))
        }
        #expect(
            proxy.server.upstreamLines() == ["upstream api.test:\(upstream.port) has no address"]
        )
        names.move(to: ["127.0.0.1"])
        let sentence = try proxy.sentence(with: "is found again")
        #expect(sentence.hasSuffix("at 127.0.0.1:\(upstream.port)"))
        #expect(try Self.ask(proxy, 1) == ["0"])
        #expect(proxy.sentences.count == 2)
    }

    /// The first request may come before the first look-up has ended.
    @Test func aRequestWaitsForTheFirstLookUp() throws {
        let upstream = try Self.numbered(1)[0]
        let goesOn = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)
        let address = try Address("api.test:\(upstream.port)")
        let found = try #require(SocketAddress(ip: "127.0.0.1", port: upstream.port))
        let set: (inout ProxySettings) -> Void = { $0.destination = .upstream(address) }
        let proxy = try RunningProxy(set) { _ throws(TransportError) in
            began.signal()
            goesOn.wait()
            return [found]
        }
        began.wait()
        var client = try proxy.client()
        try client.send(Self.get)
        _ = try proxy.statusLine(with: "GET /g")
        goesOn.signal()
        #expect(try client.response().text == "0")
    }

    @Test func aLookUpThatHangsIsNotWaitedForWithoutEnd() throws {
        let goesOn = DispatchSemaphore(value: 0)
        let address = try Address("api.test:80")
        let set: (inout ProxySettings) -> Void = {
            $0.destination = .upstream(address)
            $0.timeouts.connect = .milliseconds(100)
        }
        let proxy = try RunningProxy(set) { _ throws(TransportError) in
            goesOn.wait()
            throw TransportError(.resolve, code: EAI_NONAME)
        }
        var client = try proxy.client()
        try client.send(Self.get)
        let response = try client.response()
        #expect(response.status == 502)
        #expect(response.text.contains("upstream.unresolved"))
        goesOn.signal()
    }

    @Test func aNameThatMovesIsFollowed() throws {
        let upstream = try Self.numbered(1)[0]
        let names = Names()
        names.move(to: ["127.0.0.1"])
        let proxy = try Self.proxy(named: names, port: upstream.port) { $0.resolve = .seconds(1) }
        #expect(try Self.ask(proxy, 1) == ["0"])
        names.move(to: ["127.0.0.2", "127.0.0.1"])
        let sentence = try proxy.sentence(with: "is now at")
        #expect(sentence.contains("127.0.0.1:\(upstream.port), 127.0.0.2:\(upstream.port)"))
        // Nobody listens at the new one, so all is answered by the old.
        #expect(try Self.ask(proxy, 6) == Array(repeating: "0", count: 6))
        names.move(to: [])
        _ = try proxy.sentence(with: "its last addresses stay in use")
        #expect(try Self.ask(proxy, 2) == ["0", "0"])
    }

    /// A connection that cannot be made has the name looked up at once, not at the next turn.
    @Test func aFailureHasTheNameLookedUp() throws {
        let upstream = try Self.numbered(1)[0]
        let names = Names()
        names.move(to: ["127.0.0.2"])
        let proxy = try Self.proxy(named: names, port: upstream.port) {
            $0.resolve = .seconds(3600)
        }
        var client = try proxy.client()
        try client.send(Self.get)
        #expect(try client.response().status == 502)
        names.move(to: ["127.0.0.1"])
        // The last look-up may have been a moment ago; until then it stays as it is.
        while true {
            try client.send(Self.get)
            let response = try client.response()
            if response.status == 200 { break }
            #expect(response.status == 502)
        }
        _ = try proxy.sentence(with: "is now at 127.0.0.1:\(upstream.port)")
    }
}
