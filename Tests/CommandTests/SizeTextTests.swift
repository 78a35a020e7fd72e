import Testing
import weir

@Suite struct SizeTextTests {
    static let rows: [(String, Int?)] = [
        ("0", 0),
        ("1024", 1024),
        ("64KiB", 65_536),
        ("64kib", 65_536),
        ("64KB", 64_000),
        ("1MiB", 1_048_576),
        ("2GB", 2_000_000_000),
        ("3TiB", 3_298_534_883_328),
        ("5B", 5),
        ("", nil),
        ("KiB", nil),
        ("64K", nil),
        ("64 KiB", nil),
        ("1.5MB", nil),
        ("-1", nil),
        ("+1", nil),
        ("0x10", nil),
        ("٣", nil),
        ("9223372036854775807", .max),
        ("9223372036854775808", nil),
        ("9223372036854775807KiB", nil),
        ("8388608TiB", nil),
    ]

    @Test(arguments: rows)
    func reads(_ text: String, _ expected: Int?) {
        #expect(SizeText.parse(text) == expected)
    }

    static let sizes = [0, 1, 1000, 1023, 1024, 1025, 65_536, 1 << 20, 1 << 40, 1 << 50, .max]

    @Test(arguments: sizes)
    func exactTextMeansTheSameSize(_ bytes: Int) {
        #expect(SizeText.parse(SizeText.exact(bytes)) == bytes)
    }

    static let rounded = [
        (0, "0 B"), (999, "999 B"), (1000, "1 KB"), (1234, "1.2 KB"), (12_345, "12 KB"),
        (1_200_000, "1.2 MB"), (Int.max, "9223372 TB"),
    ]

    @Test(arguments: rounded)
    func rounds(_ bytes: Int, _ expected: String) {
        #expect(SizeText.rounded(bytes) == expected)
    }
}
