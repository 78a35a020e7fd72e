import Inspection
import Proxy
import Testing

@Suite struct RouteTableTests {
    private static func route(_ match: RouteMatch) -> Route {
        Route(match: match, name: "", destination: .sink, policy: InspectionPolicy())
    }

    private static let table = RouteTable(
        [
            RouteMatch(host: "video.example.com", methods: ["PUT"]),
            RouteMatch(methods: ["POST", "PUT"], path: "/files"),
            RouteMatch(path: "/files/open/"),
            RouteMatch(host: "[::1]"),
        ].map(route)
    )

    static let rows: [(authority: String, method: String, path: String, index: Int?)] = [
        ("a", "POST", "/files", 1),
        ("a", "PUT", "/files/", 1),
        ("a", "PUT", "/files/1/2", 1),
        ("a", "PUT", "/filesystem", nil),
        ("a", "PUT", "/file", nil),
        ("a", "PUT", "/Files", nil),
        ("a", "post", "/files", nil),
        ("a", "DELETE", "/files/open/x", 2),
        ("a", "DELETE", "/files/open/", 2),
        ("a", "DELETE", "/files/open", nil),
        ("a", "POST", "/files/open/x", 1),
        ("video.example.com", "PUT", "/files", 0),
        ("Video.Example.COM:8080", "PUT", "", 0),
        ("video.example.com.:80", "PUT", "/", 0),
        ("video.example.com", "POST", "/", nil),
        ("xvideo.example.com", "PUT", "/", nil),
        ("[::1]:8080", "GET", "/", 3),
        ("[::1]", "GET", "*", 3),
        ("", "GET", "/", nil),
    ]

    @Test(arguments: rows)
    func firstMatchHolds(_ row: (authority: String, method: String, path: String, index: Int?)) {
        let choice = Self.table.choice(
            authority: row.authority,
            method: row.method,
            path: row.path
        )
        #expect(choice == .route(row.index))
    }

    static let paths: [(sent: String, isAmbiguous: Bool)] = [
        ("/x/../files", true), ("/%66iles", true), ("//files", true), ("/./files", true),
        ("/x/..;a=b/files", true), ("/files;a", true), ("/x%2F..%2ffiles/1", true),
        ("/x%5C..%5cfiles", true), ("/files/../x", true), ("/../files", true),
        ("/files/%41", false), ("/files/.", false), ("/files/x/..", false), ("/files//x", false),
        ("/x%", false), ("/x%4", false), ("/%zz", false), ("/x;y", false), ("/..", false),
        ("/%2566iles", false),
    ]

    /// A path that an upstream may read as another route's is told apart from one that it cannot.
    @Test(arguments: paths)
    func otherReadingsAreFound(_ row: (sent: String, isAmbiguous: Bool)) {
        let choice = Self.table.choice(authority: "a", method: "POST", path: row.sent)
        let isAmbiguous = if case .ambiguous = choice { true } else { false }
        #expect(isAmbiguous == row.isAmbiguous, "\(choice)")
    }

    @Test func noRoutesAreNoChoice() {
        let choice = RouteTable().choice(authority: "a", method: "GET", path: "/x/../y")
        #expect(choice == .route(nil))
    }
}
