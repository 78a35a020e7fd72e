import Testing
import Transport

@testable import Proxy

/// Which address is tried first, and which after it.
@Suite struct UpstreamGroupTests {
    private let watch = UpstreamWatch(health: HealthSettings(), say: { _ in })

    private func group(_ count: Int) throws -> (UpstreamGroup, [UpstreamEndpoint]) {
        let names = try (0..<count).map { number in
            UpstreamName(try Address("127.0.0.\(number + 1):80"), watch: watch)
        }
        return (UpstreamGroup(names), names.flatMap(\.endpoints))
    }

    private func order(
        of group: UpstreamGroup,
        _ all: [UpstreamEndpoint],
        by balance: Balance = .roundRobin
    ) -> [Int] {
        group.candidates(at: .now, by: balance).compactMap { candidate in
            all.firstIndex { $0 === candidate }
        }
    }

    @Test func eachHasItsTurn() throws {
        let (group, all) = try group(3)
        let orders = (0..<4).map { _ in order(of: group, all) }
        #expect(orders == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]])
    }

    @Test func noMoreThanThreeAreTried() throws {
        let (group, all) = try group(5)
        #expect(order(of: group, all) == [0, 1, 2])
        #expect(order(of: group, all) == [1, 2, 3])
    }

    @Test func theOthersShareAlikeWhatOneLeaves() throws {
        let (group, all) = try group(3)
        for _ in 0..<3 { all[1].failed(.upstreamClosed) }
        let orders = (0..<4).map { _ in order(of: group, all) }
        #expect(orders.map { $0[0] } == [0, 2, 0, 2])
        // It is the last resort.
        #expect(orders.allSatisfy { $0.last == 1 && $0.count == 3 })
    }

    @Test func whereAllRestAllAreTried() throws {
        let (group, all) = try group(2)
        for endpoint in all { for _ in 0..<3 { endpoint.failed(.upstreamClosed) } }
        #expect(Set(order(of: group, all)) == [0, 1])
    }

    @Test func afterItsPauseItIsTriedOnce() throws {
        let (group, all) = try group(2)
        for _ in 0..<3 { all[1].failed(.upstreamClosed) }
        let later = Instant.now + .seconds(11)
        let firsts = (0..<4).map { _ in
            group.candidates(at: later, by: .roundRobin).first.map { $0 === all[1] }
        }
        #expect(firsts == [true, false, false, false])
    }

    @Test func theLeastBusyIsFirst() throws {
        let (group, all) = try group(3)
        var uses = [EndpointUse(all[0]), EndpointUse(all[0]), EndpointUse(all[1])]
        for _ in 0..<5 { #expect(order(of: group, all, by: .leastConnections).first == 2) }
        uses.append(EndpointUse(all[2]))
        // Of two that are equal each has its turn.
        let firsts = Set(
            (0..<6).compactMap { _ in
                order(of: group, all, by: .leastConnections).first
            }
        )
        #expect(firsts == [1, 2])
        uses.removeAll()
        #expect(all.map(\.useCount) == [0, 0, 0])
    }

    @Test func aNameKeepsTheHealthOfWhatItKeeps() throws {
        let name = UpstreamName(try Address("api.test:80"), watch: watch)
        #expect(name.endpoints.isEmpty)
        let addresses = try (1...3).map { number in
            try #require(SocketAddress(ip: "127.0.0.\(number)", port: 80))
        }
        #expect(name.beginLookUp(at: .now))
        #expect(!name.beginLookUp(at: .now))
        #expect(name.endLookUp(.success(Array(addresses[..<2])), at: .now) == .same)
        let before = name.endpoints
        for _ in 0..<3 { before[1].failed(.upstreamClosed) }
        // In another order it is the same.
        #expect(name.endLookUp(.success([addresses[1], addresses[0]]), at: .now) == .same)
        #expect(name.endLookUp(.success(Array(addresses[1...])), at: .now) == .moved)
        #expect(name.endpoints.map(\.address) == Array(addresses[1...]))
        #expect(name.endpoints.map(\.isGood) == [false, true])
        #expect(before.map(\.isRetired) == [true, false])
        // What cannot be looked up stays where it was, and that is told once.
        let failure = TransportError(.resolve, code: -2)
        #expect(name.endLookUp(.failure(failure), at: .now) == .failed(hasAddresses: true))
        #expect(name.endLookUp(.failure(failure), at: .now) == .same)
        #expect(name.endpoints.count == 2)
        #expect(name.endLookUp(.success(Array(addresses[1...])), at: .now) == .resolvesAgain)
    }

    @Test func aNameIsNotLookedUpWithoutEnd() throws {
        let name = UpstreamName(try Address("api.test:80"), watch: watch)
        let now = Instant.now
        #expect(name.beginLookUp(at: now))
        _ = name.endLookUp(.failure(TransportError(.resolve, code: -2)), at: now)
        #expect(!name.beginLookUp(at: now + .milliseconds(999)))
        #expect(name.beginLookUp(at: now + .seconds(1)))
    }
}
