import Testing
import Transport

@testable import Proxy

/// How long a client may go on sending after its last answer.
@Suite struct FarewellTests {
    private let start = Instant.now

    @Test func itEndsWithTime() {
        let farewell = Farewell(at: start, isDraining: false)
        #expect(farewell.patience(at: start) == .seconds(5))
        #expect(farewell.patience(at: start + .seconds(28)) == .seconds(2))
        #expect(farewell.lasts(at: start + .milliseconds(29_999)))
        #expect(!farewell.lasts(at: start + .seconds(30)))
    }

    @Test func itEndsWithBytes() {
        var farewell = Farewell(at: start, isDraining: false)
        farewell.note((8 << 20) - 1)
        #expect(farewell.lasts(at: start))
        farewell.note(1)
        #expect(!farewell.lasts(at: start))
    }

    @Test func aShutdownDoesNotWaitForIt() {
        var farewell = Farewell(at: start, isDraining: true)
        #expect(farewell.patience(at: start) == .milliseconds(500))
        #expect(!farewell.lasts(at: start + .seconds(2)))
        farewell = Farewell(at: start, isDraining: false)
        farewell.hurry(at: start + .seconds(1))
        #expect(farewell.lasts(at: start + .milliseconds(2_999)))
        #expect(!farewell.lasts(at: start + .seconds(3)))
        // Near its end it does not become longer.
        farewell = Farewell(at: start, isDraining: false)
        farewell.hurry(at: start + .seconds(29))
        #expect(!farewell.lasts(at: start + .seconds(30)))
    }
}
