import HTTP1
import Testing

/// What only a bug of the caller can do traps; no byte from a peer leads there.
@Suite struct PreconditionTests {
    @Test func aHeadIsTakenOnlyWhenComplete() async {
        await #expect(processExitsWith: .failure) {
            var parser = RequestHeadParser(limits: HeadLimits())
            _ = try parser.takeHead()
        }
        await #expect(processExitsWith: .failure) {
            var parser = ResponseHeadParser(limits: HeadLimits())
            _ = try parser.takeHead(answering: "GET")
        }
    }
}
