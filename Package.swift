// swift-tools-version: 6.3
import PackageDescription

// Settings every Swift target shares: a warning is an error, and unsafe code must say so.
let house: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A layer of Weir: what it may import is what `dependencies` names, and nothing else.
func layer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: house)
}

/// The tests of one layer, with the helpers that every test target shares.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name,
        dependencies: dependencies + ["TestSupport"],
        swiftSettings: house
    )
}

/// A program that looks for inputs an oracle disagrees about; the trait `Fuzzing` makes it one that
/// libFuzzer drives.
func fuzzer(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: "Fuzz" + name,
        dependencies: dependencies + ["FuzzHarness", "TestSupport"],
        path: "Tests/Fuzz/" + name,
        swiftSettings: house + [.define("FUZZING", .when(traits: ["Fuzzing"]))]
    )
}

// What the proxy, and the commands above it, may import.
let belowProxy: [Target.Dependency] = [
    "Inspection", "HTTP1", "Audit", "Transport", "Digest", "Multipart", "Wire",
]

let package = Package(
    name: "weir",
    products: [
        .executable(name: "weir", targets: ["weir"]),
        .library(name: "Multipart", targets: ["Multipart"]),
    ],
    traits: [.trait(name: "Fuzzing", description: "Fuzz targets are made for libFuzzer")],
    targets: [
        .target(name: "CKernels"),
        .target(name: "CSystem"),
        layer("Wire", ["CKernels"]),
        layer("Digest", ["CKernels"]),
        layer("HTTP1", ["Wire"]),
        layer("Multipart", ["Wire"]),
        layer("Inspection", ["Multipart", "Digest", "Wire"]),
        layer("Transport", ["CSystem"]),
        layer("Audit", ["Inspection"]),
        layer("Proxy", belowProxy),
        .executableTarget(
            name: "weir",
            dependencies: ["Proxy"] + belowProxy,
            swiftSettings: house
        ),
        .target(
            name: "TestSupport",
            dependencies: ["Wire"],
            path: "Tests/TestSupport",
            swiftSettings: house
        ),
        .target(
            name: "FuzzHarness",
            dependencies: ["TestSupport"],
            path: "Tests/Fuzz/Harness",
            swiftSettings: house
        ),
        fuzzer("Parser", ["Multipart", "Wire"]),
        fuzzer("Parameters", ["Multipart", "Wire"]),
        fuzzer("Head", ["HTTP1", "Wire"]),
        fuzzer("Chunked", ["HTTP1", "Wire"]),
        fuzzer("Inspector", ["Inspection", "Multipart", "Digest", "Wire"]),
        tests("WireTests", ["Wire", "CKernels"]),
        tests("DigestTests", ["Digest", "CKernels", "Wire"]),
        tests("HTTP1Tests", ["HTTP1", "Wire"]),
        tests("MultipartTests", ["Multipart", "Wire"]),
        tests("InspectionTests", ["Inspection", "Multipart", "Digest", "Wire"]),
        tests("TransportTests", ["Transport"]),
        tests("AuditTests", ["Audit", "Inspection"]),
        tests("ProxyTests", ["Proxy"] + belowProxy),
        tests("CommandTests", ["weir", "Proxy"] + belowProxy),
    ],
    swiftLanguageModes: [.v6],
    cLanguageStandard: .c17
)
