import HTTP1
import Testing
import Wire

@Suite struct KnownFieldTests {
    @Test(arguments: KnownField.allCases)
    func namesAreKnownInAnyCase(_ field: KnownField) {
        for name in [field.name, field.name.uppercased()] {
            #expect(KnownField(name: name) == field)
        }
        for name in [field.name + "x", "x" + field.name, String(field.name.dropLast())] {
            #expect(KnownField(name: name) == .other)
        }
        let underscored = field.name.map { $0 == "-" ? "_" : $0 }
        if underscored != Array(field.name) {
            #expect(KnownField(name: String(underscored)) == .other)
        }
    }

    @Test func whatFramesOrRoutesNeverPassesInATrailer() {
        let forbidden: [KnownField] = [
            .host, .contentLength, .transferEncoding, .connection, .keepAlive, .te, .trailer,
            .upgrade, .expect, .contentType, .contentEncoding, .contentRange, .authorization,
            .proxyAuthorization, .cookie, .setCookie, .via, .forwarded, .xForwardedFor,
            .xForwardedHost, .xForwardedProto, .xRealIP, .maxForwards, .range, .cacheControl,
        ]
        for field in forbidden { #expect(!field.isAllowedInTrailer) }
        for field in [KnownField.other, .contentDigest, .reprDigest, .contentMD5] {
            #expect(field.isAllowedInTrailer)
        }
    }

    @Test func sectionsCountAndSearch() throws {
        let text = "GET / HTTP/1.0\r\nVia: a\r\nvia: B , c\r\nTE: x\r\n\r\n"
        let head = try #require(RequestOutcome(parsing: [Array(text.utf8)[...]]).head)
        #expect(head.fields.count(of: .via) == 2)
        #expect(head.fields.count(of: .host) == 0)
        #expect(head.fields.text(.via) == "a")
        #expect(head.fields.text(.host) == nil)
        #expect(head.fields.listContains("b", in: .via))
        #expect(head.fields.listContains("C", in: .via))
        #expect(!head.fields.listContains("x", in: .via))
        #expect(!head.fields.listContains("", in: .via))
    }
}
