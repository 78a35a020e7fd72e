import Inspection
import Proxy
import Testing
import weir

/// Names of what files begin like, in `deniedTypes` and in contracts.
@Suite struct SniffedTypeNameTests {
    @Test(arguments: [
        ("text/html", "text/html"), ("TEXT/HTML", "text/html"), ("image/*", "image/*"),
        ("application/xml", "text/xml"), ("image/jpg", "image/jpeg"),
        ("application/x-zip-compressed", "application/zip"), ("executable", "executable"),
        ("application/vnd.oasis.opendocument", "application/vnd.oasis.opendocument"),
    ])
    func aKnownNameIsTaken(name: String, canonical: String) throws {
        let settings = try read(options: ["--denied-types", name]).get()
        #expect(settings.proxy.policy.deniedTypes == [canonical])
    }

    /// Each of these would deny nothing.
    @Test(arguments: [
        ("text/htlm", "did you mean text/html?"), ("image/pgn", "did you mean image/png?"),
        ("application/x-executable", "did you mean executable?"),
        ("executables", "did you mean executable?"), ("html", "did you mean text/html?"),
        ("pdf", "did you mean application/pdf?"),
        ("imagee/*", "did you mean image/*?"), ("model/*", "README lists those that are"),
        ("application/msword", "did you mean application/x-ole-storage?"),
        ("application/javascript", "did you mean text/plain"),
    ])
    func anUnknownNameIsRefusedWithAHint(name: String, hint: String) {
        let problems = problems(options: ["--denied-types", "text/html,\(name)"])
        #expect(problems.count == 1)
        #expect(problems[0].contains("\(name) is no type that files are known to begin like"))
        #expect(problems[0].contains(hint))
    }

    @Test(arguments: [
        ("application/exe", nil), ("script", "media types"), ("image/pgn", "image/png?"),
    ])
    func aContractTakesTypesAlone(name: String, problem: String?) {
        let file = "{contract: {fields: {a: {kind: 'file', sniffedTypes: ['\(name)']}}}}"
        switch read(file: file) {
        case .success(let settings):
            #expect(problem == nil)
            let types = settings.proxy.policy.contract?.fields.first?.sniffedTypes
            #expect(types == ["application/vnd.microsoft.portable-executable"])
        case .failure(let problems):
            #expect(problems.all[0].description.contains(problem ?? "no problem"))
        }
    }
}
