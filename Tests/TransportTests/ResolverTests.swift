import Testing
import Transport

@Suite(.timeLimit(.minutes(1))) struct ResolverTests {
    private func resolve(_ text: String) async throws -> Result<[SocketAddress], TransportError> {
        let address = try Address(text)
        let lane = Lane(label: "lane")
        return await withCheckedContinuation { continuation in
            lane.run {
                Resolver.resolve(address, on: lane) { result in
                    lane.assertOnLane()
                    continuation.resume(returning: result)
                }
            }
        }
    }

    @Test(arguments: ["127.0.0.1:80", "[2001:db8::1]:443", "unix:/run/x.sock"])
    func anAddressIsItself(_ text: String) async throws {
        #expect(try await resolve(text).get().map(\.description) == [text])
    }

    @Test func aNameIsLookedUp() async throws {
        let found = try await resolve("localhost:8080").get()
        #expect(!found.isEmpty)
        for address in found {
            #expect(address.isLoopback)
            #expect(address.port == 8080)
        }
        #expect(Set(found).count == found.count)
    }

    @Test func aNameThatCannotBeIsAnError() async throws {
        // An empty label is refused without asking anyone.
        let result = try await resolve("a..b:80")
        guard case .failure(let error) = result else {
            Issue.record("found \(result)")
            return
        }
        #expect(error.operation == .resolve)
        #expect(!error.text.isEmpty)
    }
}
