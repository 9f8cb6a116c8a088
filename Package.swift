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

func module(_ name: String, needs dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(of name: String, needs dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name + "Tests", dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "pinctl",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "pinctl", targets: ["pinctl"]),
        .library(name: "Pinning", targets: ["Pinning"]),
    ],
    targets: [
        .systemLibrary(
            name: "COpenSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
        ),
        .systemLibrary(name: "CEpoll"),
        module("OpenSSL", needs: ["COpenSSL"]),
        module("Pinning", needs: ["OpenSSL"]),
        module("Fetching", needs: ["OpenSSL", "Pinning", .target(name: "CEpoll", condition: .when(platforms: [.linux]))]),
        module("Arguments"),
        module("Commands", needs: ["Pinning", "Fetching", "Arguments"]),
        .executableTarget(name: "pinctl", dependencies: ["Commands"], swiftSettings: settings),
        tests(of: "OpenSSL", needs: ["OpenSSL"]),
        tests(of: "Pinning", needs: ["Pinning"]),
        tests(of: "Fetching", needs: ["Fetching"]),
        tests(of: "Arguments", needs: ["Arguments"]),
        tests(of: "Commands", needs: ["Commands"]),
        tests(of: "Integration", needs: ["Pinning"]),
    ]
)
