import Testing
import weir

@Suite struct DescriptorWarningTests {
    @Test func tooFewAreSaid() {
        #expect(ProxyRun.warning(connections: 10_000, limit: 10_064) == nil)
        let warning = ProxyRun.warning(connections: 10_000, limit: 1024)
        #expect(warning?.hasPrefix("this process may have 1024 files open") == true)
        #expect(warning?.contains("10000 connections") == true)
    }
}
