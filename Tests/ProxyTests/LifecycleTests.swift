import Dispatch
import Inspection
import Proxy
import TestSupport
import Testing
import Transport

/// The server as a whole: limits on connections, reloads, and its end.
@Suite(.serialized, .timeLimit(.minutes(1))) struct LifecycleTests {
    @Test func oneConnectionTooManyIsTurnedAway() throws {
        let proxy = try RunningProxy { $0.connections = 2 }
        do {
            var clients = [try proxy.client(), try proxy.client()]
            for index in clients.indices {
                try clients[index].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try clients[index].response().status == 200)
            }
            var third = try proxy.client()
            let response = try third.response()
            #expect(response.status == 503)
            #expect(response.field("Retry-After") == "1")
            #expect(response.text.contains("proxy.too_many_connections"))
            #expect(try third.next() == .end)
            // The others are not disturbed.
            try clients[0].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(try clients[0].response().status == 200)
        }
        let records = try proxy.records().requests
        #expect(records.count == 4)
        let turnedAway = records.first { $0.number("http.response.status_code") == 503 }
        #expect(turnedAway?.text("upload.blame") == "proxy")
    }

    @Test func oneAddressHasOnlySoMany() throws {
        let proxy = try RunningProxy { $0.connectionsPerAddress = 2 }
        do {
            var clients = [try proxy.client(), try proxy.client()]
            for index in clients.indices {
                try clients[index].send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                #expect(try clients[index].response().status == 200)
            }
            var third = try proxy.client()
            let response = try third.response()
            #expect(response.status == 429)
            #expect(response.field("Retry-After") == "1")
            #expect(response.text.contains("proxy.too_many_from_address"))
            #expect(try third.next() == .end)
            // A place that is free again is given, to whoever comes first after that.
            clients.removeLast()
            while true {
                var next = try proxy.client()
                try next.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                if try next.response().status == 200 { break }
            }
        }
        let records = try proxy.records().requests
        let turnedAway = records.first { $0.number("http.response.status_code") == 429 }
        #expect(turnedAway?.text("upload.blame") == "client")
    }

    /// Being told takes a socket: nobody may take all of them by asking again and again.
    @Test func notAllWhoAreTurnedAwayAreHeard() throws {
        let proxy = try RunningProxy { $0.connections = 1 }
        var first = try proxy.client()
        try first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try first.response().status == 200)
        var others: [RawClient] = []
        for number in 0..<70 {
            var other = try proxy.client()
            if number < 64 {
                #expect(try other.response().status == 503)
            } else {
                #expect(try other.next() == .reset)
            }
            others.append(other)
        }
        try first.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try first.response().status == 200)
    }

    @Test func aPlaceThatIsFreeAgainIsGiven() throws {
        let proxy = try RunningProxy { $0.connections = 1 }
        for _ in 0..<10 {
            // The proxy may not have seen the end of the one before: then it turns this one away,
            // and is asked again.
            while true {
                var client = try proxy.client()
                try client.send("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
                if try client.response().status == 200 { break }
            }
        }
    }

    @Test func drainingLetsWhatIsInFlightEnd() throws {
        let release = DispatchSemaphore(value: 0)
        let upstream = try RecordingUpstream { peer in
            _ = try peer.request()
            release.wait()
            try peer.answer("at last")
            try peer.drain()
        }
        let proxy = try RunningProxy(upstream: upstream.port)
        let finished: DispatchSemaphore
        do {
            var idle = try proxy.client()
            var busy = try proxy.client()
            try busy.post(form([1]))
            #expect(upstream.wait { $0.first?.requests.count == 1 })
            finished = proxy.drain()
            // What is idle is closed, and nobody new is let in.
            #expect(try idle.next() == .end)
            #expect(throws: (any Error).self) {
                var late = try proxy.client()
                try late.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                _ = try late.response()
            }
            release.signal()
            let response = try busy.response()
            #expect(response.text == "at last")
            #expect(response.field("Connection") == "close")
            #expect(try busy.next() == .end)
        }
        #expect(finished.wait(timeout: .now() + 15) == .success)
        #expect(try proxy.records().onlyRequest().text("upload.verdict") == "allowed")
        #expect(upstream.wait { $0.first?.ending != nil })
    }

    /// Connections of the last moment, on their way to a lane that has nothing else to do.
    @Test func whoeverIsAnsweredIsRecorded() throws {
        for _ in 0..<30 {
            let proxy = try RunningProxy { $0.lanes = 4 }
            var clients: [RawClient] = []
            for _ in 0..<40 {
                let client = try proxy.client()
                try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
                clients.append(client)
            }
            let finished = proxy.drain()
            var answers = 0
            for var client in clients {
                if let response = try? client.response(), response.isComplete { answers += 1 }
                client.socket.finishSending()
            }
            clients = []
            #expect(finished.wait(timeout: .now() + 15) == .success)
            #expect(try proxy.records().requests.count == answers)
        }
    }

    @Test func whatDoesNotEndIsCut() throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port) { $0.drain = .milliseconds(100) }
        var client = try proxy.client()
        try client.post(form([1]))
        #expect(upstream.wait { ($0.first?.receivedCount ?? 0) > 0 })
        let finished = proxy.drain()
        #expect(finished.wait(timeout: .now() + 15) == .success)
        #expect(try client.next() == .reset)
        #expect(upstream.wait { $0.first?.ending == .reset })
        let record = try proxy.records().onlyRequest()
        #expect(record.text("upload.termination") == "KH")
        #expect(record.text("upload.blame") == "proxy")
        #expect(record.text("upload.verdict") == "aborted")
    }

    private static func settings(upstream: UInt16) throws -> ProxySettings {
        ProxySettings(listen: [], destination: .upstream(try Address("127.0.0.1:\(upstream)")))
    }

    @Test func aReloadIsForTheNextRequest() throws {
        let first = try RecordingUpstream { peer in
            while try peer.request() != nil { try peer.answer("first") }
        }
        let second = try RecordingUpstream { peer in
            while try peer.request() != nil { try peer.answer("second") }
        }
        let proxy = try RunningProxy(upstream: first.port)
        var client = try proxy.client()
        try client.post(form([1]))
        #expect(try client.response().text == "first")
        var settings = try Self.settings(upstream: second.port)
        settings.policy.limits.bodyBytes = 3000
        try proxy.reload(settings)
        try client.post(form([1]))
        #expect(try client.response().text == "second")
        try client.post(form([UInt8](repeating: 1, count: 3000)))
        #expect(try client.response().status == 413)
        #expect(second.requests.count == 1)
        // Waiting connections to the old upstream are closed.
        #expect(first.wait { $0.first?.ending != nil })
    }

    /// What is in flight ends where it began, and nothing else goes there.
    @Test func aConnectionToTheOldUpstreamIsNotReused() throws {
        let release = DispatchSemaphore(value: 0)
        let first = try RecordingUpstream { peer in
            while try peer.request() != nil {
                if peer.number == 0 { release.wait() }
                try peer.answer("first")
                release.signal()
            }
        }
        let second = try RecordingUpstream { peer in
            while try peer.request() != nil { try peer.answer("second") }
        }
        let proxy = try RunningProxy(upstream: first.port)
        var client = try proxy.client()
        try client.post(form([1]))
        #expect(first.wait { $0.first?.requests.count == 1 })
        try proxy.reload(Self.settings(upstream: second.port))
        release.signal()
        #expect(try client.response().text == "first")
        try client.post(form([2]))
        let answer = try client.response().text
        #expect(answer == "second")
        #expect(second.requests.count == 1)
    }

    @Test func aReloadThatNeedsLargerBuffersIsRefused() throws {
        let proxy = try RunningProxy()
        var settings = ProxySettings(listen: [], destination: .sink)
        settings.policy.limits.holdBytes = 10 << 20
        #expect(throws: ProxyServer.SetupError.needsRestart("hold")) {
            try proxy.server.reload(settings)
        }
    }

    @Test func anAddressInUseIsSaid() throws {
        let proxy = try RunningProxy()
        let address = try Address("127.0.0.1:\(proxy.port)")
        #expect(throws: ProxyServer.SetupError.self) {
            _ = try RunningProxy { $0.listen = [address] }
        }
    }

    @Test func uploadsInFlightAreListed() async throws {
        let upstream = try RecordingUpstream { peer in try peer.drain() }
        let proxy = try RunningProxy(upstream: upstream.port)
        let client = try proxy.client()
        try client.post(form([1]), path: "/listed")
        #expect(upstream.wait { ($0.first?.receivedCount ?? 0) > 0 })
        let lines = await withCheckedContinuation { continuation in
            proxy.server.uploadsInFlight { continuation.resume(returning: $0) }
        }
        #expect(lines.count == 1)
        #expect(lines.first?.contains("POST /listed") == true)
    }
}
