// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The modules with the readers and writers of formats, of certificates and of logs. Without optimization, the tests need most of their time
/// for them.
let parsers: Set = [
    "Encodings", "XMLDocuments", "PropertyLists", "Pinning", "KeyFiles", "PublicSuffixes", "PinSetCodec",
    "ServerPinFormats", "PinSetFormats", "ConnectionFailures",
]
/// Scripts/test sets this variable, because a package that others depend on must not have unsafe flags: to `clean` in CI, which builds from
/// nothing, and to `incremental` elsewhere.
let testBuild = Context.environment["PINCTL_TEST_BUILD"]
let optimized = settings + [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"])]
/// One process compiles all files of a module, and no other process compiles its interface. From nothing, a test module needs about a third
/// less processor time this way; after a change of one file it needs more.
let wholeModule = settings + [.unsafeFlags(["-wmo", "-num-threads", "1", "-no-emit-module-separately-wmo"])]

func module(_ name: String, needs dependencies: [Target.Dependency] = []) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: testBuild != nil && parsers.contains(name) ? optimized : settings)
}

func tests(of name: String, needs dependencies: [Target.Dependency]) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: dependencies, swiftSettings: testBuild == "clean" ? wholeModule : settings)
}

/// A target with code that several test targets use: servers, certificates, the built command.
func testSupport(_ name: String, needs dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Tests/" + name, swiftSettings: settings)
}

let package = Package(
    name: "pinctl",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "pinctl", targets: ["pinctl"]),
        .library(
            name: "Pinning",
            targets: [
                "Pinning", "KeyFiles", "PinSetCodec", "PublicSuffixes", "ServerPinFormats", "PinSetFormats",
                "Encodings",
            ]),
        .library(name: "Authentication", targets: ["Authentication"]),
        .library(name: "HTTPSession", targets: ["HTTPSession"]),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(name: "CSystem"),
        module("OpenSSL", needs: ["COpenSSL", "CSystem"]),
        module("Encodings"),
        module("XMLDocuments", needs: ["Encodings"]),
        module("PropertyLists", needs: ["XMLDocuments", "Encodings"]),
        module("Pinning", needs: ["OpenSSL", "Encodings"]),
        module("KeyFiles", needs: ["OpenSSL", "Pinning", "Encodings"]),
        module("PinSetCodec", needs: ["KeyFiles", "Pinning", "PropertyLists", "XMLDocuments", "Encodings"]),
        module("PublicSuffixes", needs: ["Encodings"]),
        module("ServerPinFormats", needs: ["KeyFiles", "Pinning", "PinSetCodec", "Encodings"]),
        module(
            "PinSetFormats",
            needs: [
                "OpenSSL", "KeyFiles", "Pinning", "PinSetCodec", "PublicSuffixes", "ServerPinFormats", "PropertyLists",
                "XMLDocuments", "Encodings",
            ]
        ),
        module(
            "PinSetMaintenance",
            needs: [
                "OpenSSL", "Pinning", "PinSetCodec", "PinSetFormats", "PropertyLists", "XMLDocuments", "Encodings",
            ]),
        module("Authentication", needs: ["OpenSSL", "KeyFiles", "Pinning", "Encodings", "CSystem"]),
        module("PlaintextProtocols", needs: ["Authentication", "Pinning", "Encodings", "CSystem"]),
        module("CertificateProbe", needs: ["OpenSSL"]),
        module(
            "Fetching",
            needs: [
                "OpenSSL", "Authentication", "PlaintextProtocols", "CertificateProbe", "KeyFiles", "Pinning",
                "Encodings",
                "CSystem",
            ]),
        module(
            "HTTPSession",
            needs: [
                "OpenSSL", "Authentication", "PlaintextProtocols", "Fetching", "KeyFiles", "Pinning", "Encodings",
                "CSystem",
            ]),
        module("Arguments", needs: ["Encodings"]),
        module("FileConflicts", needs: ["Arguments", "Encodings", "CSystem"]),
        module("StagedFiles", needs: ["PlaintextProtocols", "FileConflicts", "Encodings", "CSystem"]),
        module("CertificateDetails", needs: ["OpenSSL", "Pinning", "Encodings"]),
        module("Reports", needs: ["XMLDocuments", "Encodings"]),
        module(
            "HTMLReports", needs: ["Reports", "Pinning", "PinSetCodec", "PinSetMaintenance", "Encodings"]),
        module(
            "CheckReports", needs: ["Pinning", "PinSetCodec", "PinSetMaintenance", "XMLDocuments", "Encodings"]),
        module("ConnectionFailures", needs: ["Pinning", "Encodings"]),
        module(
            "CommandSupport",
            needs: [
                "KeyFiles", "Pinning", "PinSetCodec", "PinSetFormats", "PinSetMaintenance", "Encodings", "Fetching",
                "Authentication", "PlaintextProtocols", "Arguments", "FileConflicts", "StagedFiles", "Reports",
                "CheckReports", "HTMLReports", "CSystem",
            ]
        ),
        module(
            "PinSetCommands",
            needs: [
                "CommandSupport", "Reports", "CheckReports", "HTMLReports", "Pinning", "PinSetCodec", "PinSetFormats",
                "PinSetMaintenance",
                "Encodings",
                "Fetching", "Arguments", "FileConflicts", "StagedFiles",
            ]
        ),
        module(
            "Commands",
            needs: [
                "PinSetCommands", "CommandSupport", "CertificateDetails", "ConnectionFailures", "Reports",
                "CheckReports",
                "HTMLReports",
                "KeyFiles",
                "Pinning",
                "PinSetCodec",
                "PinSetFormats",
                "PinSetMaintenance",
                "Encodings",
                "Authentication", "Fetching", "HTTPSession", "Arguments", "FileConflicts",
                "CSystem",
            ]
        ),
        .executableTarget(
            name: "pinctl", dependencies: ["Commands", "CommandSupport", "CSystem"], swiftSettings: settings),
        testSupport(
            "TestSupport",
            needs: ["PinSetCodec", "ServerPinFormats", "PinSetFormats", "KeyFiles", "Pinning", "Encodings"]),
        .target(
            name: "CHandshakeReplay", dependencies: ["COpenSSL"], path: "Tests/CHandshakeReplay",
            publicHeadersPath: "include"
        ),
        testSupport("HandshakeReplay", needs: ["CHandshakeReplay", "OpenSSL"]),
        testSupport(
            "InputPromises",
            needs: [
                "Authentication", "PinSetMaintenance", "PinSetFormats", "PinSetCodec", "Pinning", "PropertyLists",
                "XMLDocuments", "Encodings",
            ]),
        testSupport("SampleTool", needs: ["Arguments", "TestSupport"]),
        testSupport("InProcessRuns", needs: ["Commands", "CommandSupport", "Encodings", "TestSupport"]),
        tests(of: "OpenSSL", needs: ["OpenSSL", "TestSupport"]),
        tests(of: "Encodings", needs: ["Encodings", "Pinning", "InputPromises", "TestSupport"]),
        tests(of: "XMLDocuments", needs: ["XMLDocuments", "Encodings", "InputPromises", "TestSupport"]),
        tests(of: "PropertyLists", needs: ["PropertyLists", "Encodings", "InputPromises", "TestSupport"]),
        tests(of: "Pinning", needs: ["KeyFiles", "Pinning", "Encodings", "TestSupport"]),
        tests(
            of: "PinSetFormats",
            needs: [
                "PinSetCodec", "PublicSuffixes", "ServerPinFormats", "PinSetFormats", "KeyFiles", "Pinning",
                "PropertyLists", "XMLDocuments", "Encodings", "TestSupport",
            ]
        ),
        tests(
            of: "PinSetMaintenance",
            needs: [
                "PinSetMaintenance", "PinSetCodec", "ServerPinFormats", "PinSetFormats", "Pinning", "Encodings",
                "InputPromises", "TestSupport",
            ]
        ),
        tests(
            of: "Authentication",
            needs: [
                "Authentication", "OpenSSL", "KeyFiles", "Pinning", "Encodings", "InputPromises", "TestSupport",
            ]),
        tests(
            of: "Fetching",
            needs: [
                "Fetching", "PlaintextProtocols", "Authentication", "OpenSSL", "KeyFiles", "Pinning", "Encodings",
                "HandshakeReplay", "TestSupport",
            ]
        ),
        tests(
            of: "PlaintextProtocols",
            needs: ["PlaintextProtocols", "Authentication", "Pinning", "Encodings", "TestSupport"]),
        tests(of: "CertificateProbe", needs: ["CertificateProbe", "OpenSSL", "HandshakeReplay", "TestSupport"]),
        tests(
            of: "HTTPSession",
            needs: ["HTTPSession", "Authentication", "Fetching", "OpenSSL", "Pinning", "Encodings", "TestSupport"]),
        tests(of: "Arguments", needs: ["Arguments", "SampleTool"]),
        tests(
            of: "CommandSupport",
            needs: [
                "Commands", "CommandSupport", "Arguments", "CheckReports", "FileConflicts", "StagedFiles",
                "PinSetCodec", "PinSetFormats", "Pinning", "Reports", "XMLDocuments", "Encodings", "InProcessRuns",
                "TestSupport",
            ]
        ),
        tests(
            of: "PinSetCommands",
            needs: [
                "Commands", "CommandSupport", "PinSetCodec", "ServerPinFormats", "PinSetFormats", "Pinning",
                "InProcessRuns", "TestSupport",
            ]
        ),
        tests(
            of: "Commands",
            needs: [
                "Commands", "PinSetCommands", "CommandSupport", "Arguments", "CheckReports", "PinSetCodec",
                "ServerPinFormats", "PinSetFormats", "Pinning", "Encodings", "SampleTool", "InProcessRuns",
                "TestSupport",
            ]
        ),
        tests(of: "Reports", needs: ["Reports", "TestSupport"]),
        tests(
            of: "CheckReports", needs: ["CheckReports", "PinSetMaintenance", "Pinning", "Encodings", "TestSupport"]),
        tests(
            of: "HTMLReports",
            needs: ["HTMLReports", "Reports", "PinSetCodec", "PinSetFormats", "Pinning", "Encodings", "TestSupport"]),
        tests(of: "ConnectionFailures", needs: ["ConnectionFailures", "Pinning", "Encodings", "TestSupport"]),
        tests(of: "CertificateDetails", needs: ["CertificateDetails", "Pinning", "Encodings", "TestSupport"]),
        tests(of: "Integration", needs: ["TestSupport"]),
    ]
)

// Scripts/fuzz sets this variable, because the fuzz targets link only with the sanitizers.
if Context.environment["PINCTL_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "Fuzz",
            dependencies: [
                "CertificateDetails", "ConnectionFailures",
                "PinSetMaintenance", "PinSetCodec", "ServerPinFormats", "PinSetFormats", "KeyFiles", "Pinning",
                "PropertyLists", "XMLDocuments", "Encodings",
                "Authentication", "PlaintextProtocols", "CertificateProbe", "Fetching", "CommandSupport", "OpenSSL",
                "HandshakeReplay", "InputPromises",
            ],
            path: "Tests/Fuzz", swiftSettings: settings
        )
    )
}
