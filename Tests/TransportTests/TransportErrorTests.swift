import Glibc
import Testing
import Transport

@Suite struct TransportErrorTests {
    @Test func saysWhatTheSystemSays() {
        let refused = TransportError(.connect, code: ECONNREFUSED)
        #expect(refused.description == "connect: Connection refused")
        #expect(TransportError(.read, code: 123_456).description.hasPrefix("read: Unknown error"))
        #expect(TransportError(.resolve, code: EAI_NONAME).text.contains("not known"))
    }

    @Test func knowsItsKinds() {
        #expect(TransportError(.write, code: EPIPE).isReset)
        #expect(TransportError(.read, code: ECONNRESET).isReset)
        #expect(!TransportError(.read, code: EIO).isReset)
        #expect(TransportError(.connect, code: ECONNREFUSED).isRefused)
        #expect(TransportError(.connect, code: ENOENT).isRefused)
        #expect(!TransportError(.read, code: ENOENT).isRefused)
        #expect(TransportError(.read, code: ETIMEDOUT).isTimeout)
        for code in [EMFILE, ENFILE, ENOBUFS, ENOMEM] {
            #expect(TransportError(.accept, code: code).isExhaustion)
        }
        #expect(!TransportError(.accept, code: EAGAIN).isExhaustion)
    }
}
